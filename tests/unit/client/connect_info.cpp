#include "proto_pg/client/connect_info.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

using namespace proto_pg::client;
using namespace std::chrono_literals;

namespace {

using Environment = std::map<std::string, std::string, std::less<>>;

Surroundings surroundings_of(Environment environment) {
  Surroundings result;
  result.environment = [environment](std::string_view name) -> std::optional<std::string> {
    const auto found = environment.find(name);
    if (found == environment.end()) return std::nullopt;
    return found->second;
  };
  result.user_name = "osuser";
  result.socket_directory = "/run/sockets";
  return result;
}

ConnectInfo with(const ConnectFlags& flags, const Environment& environment = {}) {
  return make_connect_info(flags, surroundings_of(environment));
}

ConnectInfo from(const std::string& dbname, const Environment& environment = {}) {
  ConnectFlags flags;
  flags.dbname = dbname;
  return with(flags, environment);
}

std::string refusal(const std::string& dbname, const Environment& environment = {}) {
  try {
    from(dbname, environment);
  } catch (const ConnectInfoError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string names(const ConnectInfo& info) {
  std::string result;
  for (const auto& host : info.hosts) result += (result.empty() ? "" : " ") + host.name();
  return result;
}

}  // namespace

TEST_CASE("without anything given, the user's own database over the default socket") {
  const auto info = with({});
  CHECK(names(info) == "/run/sockets:5432");
  CHECK(info.hosts[0].unix_socket());
  CHECK(info.hosts[0].password == std::nullopt);
  CHECK(info.user == "osuser");
  CHECK(info.database == "osuser");
  CHECK(info.sslmode == SslMode::prefer);
  CHECK(info.ssl_min_protocol_version == TlsVersion::tls1_2);
  CHECK(info.connect_timeout == 10s);
  CHECK(info.application_name == "pgload");
  CHECK(info.options.empty());
}

TEST_CASE("flag beats connection string beats environment beats default") {
  const Environment environment{
      {"PGHOST", "env"}, {"PGPORT", "1"}, {"PGUSER", "envuser"}, {"PGDATABASE", "envdb"}};
  CHECK(names(with({}, environment)) == "env:1");
  CHECK(with({}, environment).database == "envdb");

  const auto uri = from("postgresql://uriuser@uri:2/uridb", environment);
  CHECK(names(uri) == "uri:2");
  CHECK(uri.user == "uriuser");
  CHECK(uri.database == "uridb");

  ConnectFlags flags{"flag", "3", "flaguser", "postgresql://uriuser@uri:2/uridb", std::nullopt};
  const auto flagged = with(flags, environment);
  CHECK(names(flagged) == "flag:3");
  CHECK(flagged.user == "flaguser");
  CHECK(flagged.database == "uridb");

  flags.host = "";  // as in psql: an empty flag was not given
  CHECK(names(with(flags, environment)) == "uri:3");
  CHECK(names(from("host=''", environment)) == "/run/sockets:1");  // an empty value is one
  CHECK(from("user=u").database == "u");
  CHECK(from("name", environment).database == "name");
}

TEST_CASE("a dbname is a connection string only where it was given as an argument") {
  CHECK(with({}, {{"PGDATABASE", "postgresql://h"}}).database == "postgresql://h");
  CHECK(from("dbname='host=x'").database == "host=x");
  CHECK(contains(refusal("jdbc:postgresql://u:hunter2@h"), "postgresql://"));
  CHECK_FALSE(contains(refusal("jdbc:postgresql://u:hunter2@h"), "hunter2"));
}

TEST_CASE("host lists take one port or one each") {
  CHECK(names(from("host=a,b")) == "a:5432 b:5432");
  CHECK(names(from("host=a,b port=1")) == "a:1 b:1");
  CHECK(names(from("host=a,b port=1,2")) == "a:1 b:2");
  CHECK(names(from("host=a,,b port=1,,3")) == "a:1 /run/sockets:5432 b:3");
  CHECK(names(from("postgresql://[::1]:5433,127.0.0.1:5432")) == "[::1]:5433 127.0.0.1:5432");
  CHECK(names(from("host=/tmp,@abstract")) == "/tmp:5432 @abstract:5432");
  CHECK(names(from("port=' 7 '")) == "/run/sockets:7");
  const auto wrong = refusal("host=a,b port=1,2,3");
  CHECK(contains(wrong, "3 ports"));
  CHECK(contains(wrong, "2 hosts"));
  CHECK(contains(refusal("host=a port=1,"), "2 ports for 1 host"));
}

TEST_CASE("hostaddr says where to connect, host whom to expect") {
  const auto info = from("host=db1,db2 hostaddr=127.0.0.1,::1");
  CHECK(names(info) == "db1:5432 db2:5432");
  CHECK(info.hosts[1].hostaddr == "::1");
  CHECK_FALSE(info.hosts[0].unix_socket());
  CHECK(names(from("hostaddr=::1,127.0.0.1 port=1,2")) == "[::1]:1 127.0.0.1:2");
  CHECK(names(from("host=db1,db2 hostaddr=127.0.0.1,")) == "db1:5432 db2:5432");
  CHECK_FALSE(from("host=/tmp hostaddr=127.0.0.1").hosts[0].unix_socket());
  const auto wrong = refusal("host=a hostaddr=127.0.0.1,127.0.0.2");
  CHECK(contains(wrong, "1 host name but 2 hostaddr values"));
  CHECK(contains(refusal("hostaddr=db1"), "numeric"));
}

TEST_CASE("ports are 1 to 65535 and nothing else") {
  for (const std::string port : {"0", "65536", "-1", "5432x", "x", "' '", "99999999999", "0x10", "1.0"}) {
    CAPTURE(port);
    CHECK(contains(refusal("port=" + port), "1 to 65535"));
  }
  CHECK(from("port=65535").hosts[0].port == 65535);
  CHECK(from("port=''").hosts[0].port == 5432);
  CHECK(contains(refusal("", {{"PGPORT", "x"}}), "port (PGPORT) \"x\""));
  // A '/' in a password makes its beginning a port.
  const auto reason = refusal("postgresql://u:hunter2/x@h/db");
  CHECK(contains(reason, "%2F"));
  CHECK_FALSE(contains(reason, "hunter2"));
}

TEST_CASE("numbers are whole, and libpq's rules for them hold") {
  CHECK(from("connect_timeout=5").connect_timeout == 5s);
  CHECK(from("connect_timeout=1").connect_timeout == 2s);
  CHECK(from("connect_timeout=0").connect_timeout == 0s);
  CHECK(from("connect_timeout=-3").connect_timeout == 0s);
  CHECK(from("connect_timeout=' +5 '").connect_timeout == 5s);
  CHECK(with({}, {{"PGCONNECT_TIMEOUT", "7"}}).connect_timeout == 7s);
  const auto info =
      from("keepalives=0 keepalives_idle=1 keepalives_interval=2 keepalives_count=3 tcp_user_timeout=4");
  CHECK_FALSE(info.keepalives.enabled);
  CHECK(info.keepalives.idle == 1s);
  CHECK(info.keepalives.interval == 2s);
  CHECK(info.keepalives.count == 3);
  CHECK(info.tcp_user_timeout == 4ms);
  CHECK(from("keepalives_idle=-1").keepalives.idle == 0s);
  for (const std::string text :
       {"connect_timeout=10s", "connect_timeout=''", "connect_timeout=99999999999", "keepalives=yes",
        "keepalives_idle=1.5", "keepalives_interval=x", "keepalives_count=1_", "tcp_user_timeout=+-1"}) {
    CAPTURE(text);
    const auto keyword = text.substr(0, text.find('='));
    CHECK(contains(refusal(text), "invalid " + keyword + " "));
  }
  CHECK(contains(refusal("", {{"PGCONNECT_TIMEOUT", ""}}), "PGCONNECT_TIMEOUT"));
}

TEST_CASE("TLS parameters take libpq's words") {
  for (const std::string mode : {"disable", "allow", "prefer", "require", "verify-ca", "verify-full"}) {
    CHECK(to_string(from("sslmode=" + mode).sslmode) == mode);
  }
  CHECK(with({}, {{"PGSSLMODE", "verify-ca"}}).sslmode == SslMode::verify_ca);
  CHECK(with({}, {{"PGREQUIRESSL", "1"}}).sslmode == SslMode::require);
  CHECK(with({}, {{"PGREQUIRESSL", "1"}, {"PGSSLMODE", "disable"}}).sslmode == SslMode::disable);
  CHECK(with({}, {{"PGREQUIRESSL", "0"}}).sslmode == SslMode::prefer);
  CHECK(from("postgresql://h?ssl=true").sslmode == SslMode::require);
  CHECK(from("sslrootcert=system").sslmode == SslMode::verify_full);
  CHECK(contains(refusal("sslrootcert=system sslmode=require"), "verify-full"));
  CHECK(contains(refusal("sslmode=Require"), "disable, allow, prefer, require, verify-ca, verify-full"));
  CHECK(contains(refusal("", {{"PGSSLMODE", ""}}), "sslmode (PGSSLMODE) \"\""));
  CHECK(from("channel_binding=require").channel_binding == proto_pg::wire::ChannelBinding::require);
  CHECK(contains(refusal("channel_binding=yes"), "disable, prefer, require"));
  CHECK_FALSE(from("sslsni=0").sslsni);
  CHECK(contains(refusal("sslsni=2"), "sslsni"));
  const auto files = from("sslrootcert=r sslcert=c sslkey=k");
  CHECK(files.sslrootcert == "r");
  CHECK(files.sslcert == "c");
  CHECK(files.sslkey == "k");
  CHECK(from("ssl_min_protocol_version=tlsv1.3").ssl_min_protocol_version == TlsVersion::tls1_3);
  CHECK(from("ssl_min_protocol_version=''").ssl_min_protocol_version == TlsVersion::any);
  CHECK(from("ssl_max_protocol_version=TLSv1.2").ssl_max_protocol_version == TlsVersion::tls1_2);
  CHECK(contains(refusal("ssl_max_protocol_version=TLSv1.1"), "below"));
  CHECK(contains(refusal("ssl_min_protocol_version=SSLv3"), "TLSv1, TLSv1.1, TLSv1.2, TLSv1.3"));
}

TEST_CASE("what a session shall have travels in the options") {
  CHECK(from("options='-c geqo=off'").options == "-c geqo=off");
  CHECK(with({}, {{"PGOPTIONS", "-c x=1"}, {"PGTZ", "Europe/Berlin"}}).options ==
        "-c x=1 -c timezone=Europe/Berlin");
  CHECK(with({}, {{"PGDATESTYLE", "ISO, \\MDY"}}).options == R"(-c datestyle=ISO,\ \\MDY)");
  CHECK(with({}, {{"PGGEQO", "DEFAULT"}}).options.empty());
  CHECK(with({}, {{"PGCLIENTENCODING", "utf-8"}}).options == "-c client_encoding=UTF8");
  CHECK(from("client_encoding=auto").options == "-c client_encoding=UTF8");
  CHECK(from("client_encoding=sql_ascii").options == "-c client_encoding=SQL_ASCII");
  CHECK(contains(refusal("client_encoding=LATIN1"), "UTF8"));
  CHECK(from("application_name=a fallback_application_name=b").application_name == "a");
  CHECK(from("fallback_application_name=b").application_name == "b");
  CHECK(with({}, {{"PGAPPNAME", "e"}}).application_name == "e");
  CHECK(from("application_name=''").application_name.empty());
}

TEST_CASE("parameters that are not supported are named unless they ask for nothing") {
  for (const std::string text : {"service=x",
                                 "sslcrl=f",
                                 "sslcrldir=d",
                                 "sslcompression=1",
                                 "sslpassword=hunter2",
                                 "sslcertmode=require",
                                 "sslnegotiation=direct",
                                 "require_auth=md5",
                                 "requirepeer=p",
                                 "gssencmode=require",
                                 "krbsrvname=x",
                                 "gsslib=gssapi",
                                 "replication=database",
                                 "target_session_attrs=read-write",
                                 "load_balance_hosts=random",
                                 "min_protocol_version=3.2",
                                 "scram_client_key=hunter2",
                                 "oauth_issuer=x",
                                 "gssencmode=''",
                                 "target_session_attrs=''"}) {
    CAPTURE(text);
    const auto reason = refusal(text);
    CHECK(contains(reason, text.substr(0, text.find('='))));
    CHECK(contains(reason, "not supported"));
    CHECK_FALSE(contains(reason, "hunter2"));
  }
  for (const auto& [name, value] : Environment{{"PGSERVICE", "x"},
                                               {"PGSSLCRL", "f"},
                                               {"PGTARGETSESSIONATTRS", "primary"},
                                               {"PGGSSENCMODE", "require"},
                                               {"PGREQUIREAUTH", "md5"}}) {
    CAPTURE(name);
    CHECK(contains(refusal("", {{name, value}}), "(" + name + ")"));
  }
  CHECK(contains(refusal("gssencmode=require"), "set it to disable or prefer"));
  CHECK(refusal("gssencmode=prefer target_session_attrs=any sslcompression=0 service='' replication=false "
                "load_balance_hosts=disable sslnegotiation=postgres max_protocol_version=latest") == "");
}

TEST_CASE("passwords: flag, connection string, environment, file; an empty one that is given counts") {
  std::string folder = "/tmp/connect_info-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const auto path = folder + "/.pgpass";
  std::ofstream(path)
      << "db1:5432:d:u:one\ndb2:5433:d:u:two\nlocalhost:5432:d:u:local\n127.0.0.1:5432:d:u:addr\n";
  REQUIRE(::chmod(path.c_str(), 0600) == 0);
  auto surroundings = surroundings_of({});
  surroundings.home = folder;
  const auto password = [&](const std::string& dbname, std::size_t host = 0) {
    ConnectFlags flags;
    flags.dbname = dbname;
    return make_connect_info(flags, surroundings).hosts.at(host).password;
  };
  const std::string who = "user=u dbname=d ";
  CHECK(password(who + "host=db1,db2,db3 port=5432,5433,5432", 0) == "one");
  CHECK(password(who + "host=db1,db2,db3 port=5432,5433,5432", 1) == "two");
  CHECK(password(who + "host=db1,db2,db3 port=5432,5433,5432", 2) == std::nullopt);
  CHECK(password(who) == "local");
  CHECK(password(who + "host=/run/sockets") == "local");
  CHECK(password(who + "host=/other") == std::nullopt);
  CHECK(password(who + "hostaddr=127.0.0.1") == "addr");
  CHECK(password(who + "host=db1 hostaddr=127.0.0.1") == "one");
  CHECK(password(who + "host=db1 password=''") == "");
  CHECK(password(who + "host=db1 passfile=/none") == std::nullopt);

  surroundings = surroundings_of({{"PGPASSFILE", path}, {"PGPASSWORD", ""}});
  CHECK(password(who + "host=db1") == "one");  // as in libpq, an empty variable gives none
  surroundings = surroundings_of({{"PGPASSFILE", path}, {"PGPASSWORD", "env"}});
  CHECK(password(who + "host=db1") == "env");
  CHECK(password(who + "host=db1 password=''") == "");
  CHECK(password(who + "host=db1,db2 password=x", 1) == "x");
  ConnectFlags typed;
  typed.dbname = who + "password=x";
  typed.password = "";
  CHECK(make_connect_info(typed, surroundings).hosts[0].password == "");
  ::unlink(path.c_str());
  ::rmdir(folder.c_str());
}

TEST_CASE("no user at all is an error that says what to do") {
  auto nobody = surroundings_of({});
  nobody.user_name.clear();
  CHECK_THROWS_WITH_AS(make_connect_info({}, nobody), doctest::Contains("PGUSER"), ConnectInfoError);
}

TEST_CASE("this process has an environment, a user and a folder for sockets") {
  const auto here = Surroundings::of_this_process();
  CHECK(here.environment("PATH") == std::string(std::getenv("PATH")));
  CHECK(here.environment("NO_SUCH_VARIABLE_HERE") == std::nullopt);
  CHECK_FALSE(here.user_name.empty());
  CHECK(here.socket_directory.starts_with('/'));
}
