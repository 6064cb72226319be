#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proto_pg/client/connection.hpp"
#include "proto_pg/wire/frontend.hpp"

namespace integration {

/// Adds Parse, Bind, Describe, Execute of one unnamed statement with text parameters to the batch. `max_rows`
/// 0: all.
inline std::size_t add_statement(proto_pg::client::Connection& connection, std::string_view sql,
                                 const std::vector<std::string>& parameters = {}, std::int32_t max_rows = 0,
                                 proto_pg::wire::Format results = proto_pg::wire::Format::text) {
  using namespace proto_pg::wire;
  const std::size_t number = connection.tracker().begin_statement();
  encode_parse(connection.out(), "", sql, {});
  connection.tracker().expect(Question::parse);
  const std::vector<Format> formats(parameters.size(), Format::text);
  BindWriter bind(connection.out(), "", formats);
  for (const std::string& parameter : parameters) bind.put_text(parameter);
  bind.finish(results);
  connection.tracker().expect(Question::bind);
  encode_describe_portal(connection.out(), "");
  connection.tracker().expect(Question::describe_portal);
  encode_execute(connection.out(), "", max_rows);
  connection.tracker().expect(Question::execute);
  return number;
}

inline void add_sync(proto_pg::client::Connection& connection) {
  proto_pg::wire::encode_sync(connection.out());
  connection.tracker().expect(proto_pg::wire::Question::sync);
}

}  // namespace integration
