#!/usr/bin/env bash
# usage: certificates.sh FOLDER   makes the TLS material of the tests there: EC P-256, half a second.
# ca.crt, other_ca.crt, ca.crl; NAME.crt and NAME.key for the servers server wildcard wronghost cnonly selfsigned
# wrongca expired future revoked, and for the clients alice bob. Keys are 0600.
set -euo pipefail
cd "$1"
umask 077
exec 2>openssl.log

new_ca() { # NAME
  mkdir "$1.d" && touch "$1.d/index.txt" && echo 1000 >"$1.d/serial" && echo 01 >"$1.d/crlnumber"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj "/CN=pgload test $1" \
    -keyout "$1.key" -out "$1.crt" -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
  cat >"$1.cnf" <<END
[ca]
default_ca = own
[own]
new_certs_dir = $1.d
database = $1.d/index.txt
serial = $1.d/serial
crlnumber = $1.d/crlnumber
certificate = $1.crt
private_key = $1.key
default_md = sha256
default_days = 30
default_crl_days = 30
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
END
}

leaf() { # CA NAME COMMON_NAME EXTENSION [openssl ca option...]
  local ca=$1 name=$2 common=$3 extension=$4; shift 4
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$common" -addext "$extension" \
    -keyout "$name.key" -out "$name.csr"
  openssl ca -config "$ca.cnf" -batch -notext -in "$name.csr" -out "$name.crt" "$@"
}

new_ca ca
new_ca other_ca
names=subjectAltName=DNS:localhost,DNS:pg.test,IP:127.0.0.1,IP:::1
leaf ca server pg.test "$names"
leaf ca wildcard wildcard.test "subjectAltName=DNS:*.db.example"
leaf ca wronghost localhost "subjectAltName=DNS:elsewhere.example,IP:192.0.2.1"
leaf ca cnonly localhost extendedKeyUsage=serverAuth
leaf ca expired pg.test "$names" -startdate 20200101000000Z -enddate 20200201000000Z
leaf ca future pg.test "$names" -startdate "$(date -u -d '+10 days' +%Y%m%d%H%M%SZ)"
leaf ca revoked pg.test "$names"
leaf other_ca wrongca pg.test "$names"
leaf ca alice alice extendedKeyUsage=clientAuth
leaf ca bob bob extendedKeyUsage=clientAuth
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
  -addext "$names" -keyout selfsigned.key -out selfsigned.crt
openssl ca -config ca.cnf -batch -revoke revoked.crt
openssl ca -config ca.cnf -batch -gencrl -out ca.crl
