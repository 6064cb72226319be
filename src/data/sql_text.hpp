#pragma once

// SQL texts and sentences of set-up work: no connection, only strings.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "proto_pg/wire/server_error.hpp"
#include "workloads/api/data_set.hpp"

namespace pgload::data {

/// A name as SQL has to write it: quoted when it is not plain lower case. (Quoting a key word that needs none
/// is harmless, so all of them that a table might have are quoted.)
std::string quote_name(std::string_view name);

/// A text constant, whatever standard_conforming_strings says.
std::string quote_text(std::string_view text);

/// "id IN (1,2,3)"
std::string key_in(std::string_view key, std::span<const std::uint64_t> keys);

/// The condition for rows of these numbers: "id IN (1,2,3)", "ycsb_key IN ('user1','user2')".
std::string rows_in(const workloads::api::TableSpec& table, std::span<const std::uint64_t> rows);
/// The same for all from `first` to `last`: "id BETWEEN 1 AND 3".
std::string rows_between(const workloads::api::TableSpec& table, std::uint64_t first, std::uint64_t last);

/// What the server said, with its detail, and its hint in a second line. `doing`: "create table sbtest1".
std::string refusal(std::string_view doing, const proto_pg::wire::ServerError& error);

}  // namespace pgload::data
