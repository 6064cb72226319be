#include "workloads/ycsb/core_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "workloads/api/grouped.hpp"

namespace workloads::ycsb {

namespace {

constexpr std::string_view kKeyColumn = "ycsb_key";

/// What one session keeps: the values of the statement that it is writing, and the key that it inserts.
struct State final : api::SessionState {
  explicit State(std::size_t fields) : values(fields) {}

  std::vector<std::string> values;
  std::optional<std::uint64_t> inserting;
};

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

CoreWorkload::CoreWorkload(const api::OptionValues& values)
    : options_(values),
      names_(field_names(options_.field_prefix, options_.fields)),
      field_length_(options_.field_length, options_.shortest_field, options_.longest_field),
      scan_length_(
          options_.zipfian_scan ? FieldLength::Distribution::zipfian : FieldLength::Distribution::uniform,
          options_.shortest_scan, options_.longest_scan) {
  const Mix& mix = options_.mix;
  for (const Share share : {Share{Operation::read, mix.read}, Share{Operation::update, mix.update},
                            Share{Operation::insert, mix.insert}, Share{Operation::scan, mix.scan},
                            Share{Operation::read_modify_write, mix.read_modify_write}}) {
    if (share.weight > 0) shares_.push_back(share);
    weights_ += share.weight;
  }
  const bool rmw = mix.read_modify_write > 0;
  declare(Statement::read, mix.read > 0 || rmw);
  declare(Statement::update, mix.update > 0 || rmw);
  declare(Statement::insert, mix.insert > 0);
  declare(Statement::scan, mix.scan > 0);
  declare(Statement::begin, rmw && options_.update_in_transaction);
  declare(Statement::commit, rmw && options_.update_in_transaction);
}

void CoreWorkload::declare(Statement statement, bool needed) {
  if (!needed) return;
  ids_[static_cast<std::size_t>(statement)] = static_cast<api::StatementId>(declared_.size());
  declared_.push_back(statement);
}

// --- data ---

std::vector<api::TableSpec> CoreWorkload::tables() const {
  using Kind = api::ColumnSpec::Kind;
  api::TableSpec table;
  table.name = lower(options_.table);
  table.rows = options_.keys.count;
  table.key = kKeyColumn;
  table.key_text = [first = options_.keys.first, format = options_.format](std::uint64_t row) {
    return std::string(KeyText(first + row - 1, format).view());
  };
  table.columns = {{std::string(kKeyColumn), Kind::text}};
  for (const std::string& name : names_) table.columns.push_back({lower(name), Kind::text});
  table.create = create_text();
  table.write_row = [first = options_.keys.first, format = options_.format, fields = names_.size(),
                     length = field_length_](api::RowWriter& out, std::uint64_t seed, std::uint64_t row) {
    const std::uint64_t number = first + row - 1;
    auto random = random::row_generator(seed, 0, number);
    out.begin_row();
    out.text(KeyText(number, format).view());
    std::string value;
    for (std::size_t i = 0; i < fields; ++i) {
      value.clear();
      append_random_text(value, length.draw(random), random);
      out.text(value);
    }
  };
  return {table};
}

std::string CoreWorkload::create_text() const {
  std::string columns;
  for (std::uint64_t i = 0; i < options_.fields; ++i)
    columns += fmt::format(", {}{} TEXT", options_.field_prefix, i);
  return fmt::format("CREATE TABLE {} (YCSB_KEY VARCHAR(255) PRIMARY KEY{})", options_.table, columns);
}

void CoreWorkload::adopt(const api::FoundData& found) {
  if (found.tables == 0 || found.rows_per_table == 0) return;
  highest_found_ = found.rows_per_table;
  if (options_.records_given || options_.count_given) return;
  found_ = true;
  options_.keys.count = found.rows_per_table;
  options_.keys.records = options_.keys.first + found.rows_per_table;
}

std::map<std::string, std::string> CoreWorkload::adopted() const {
  if (!found_) return {};
  return {{"recordcount", std::to_string(options_.keys.records)}};
}

std::string CoreWorkload::data_summary() const {
  return fmt::format("{} x {} records of {} x {} bytes{}", lower(options_.table),
                     api::grouped(options_.keys.count), options_.fields, options_.longest_field,
                     found_ ? " (found)" : "");
}

std::string CoreWorkload::key_summary() const {
  switch (options_.keys.distribution) {
    case RequestDistribution::zipfian:
      return "keys zipfian 0.99, scrambled";
    case RequestDistribution::latest:
      return "keys latest (zipfian 0.99 from the newest)";
    case RequestDistribution::hotspot:
      return fmt::format("keys hotspot ({:g} of the operations to {:g} of the keys)",
                         options_.keys.hotspot_operations, options_.keys.hotspot_data);
    case RequestDistribution::exponential:
      return "keys exponential from the newest";
    case RequestDistribution::sequential:
      return "keys in sequence";
    case RequestDistribution::uniform:
      break;
  }
  return "keys uniform";
}

// --- statements ---

/// One that writes all fields, or one for each field.
std::vector<std::string> CoreWorkload::update_texts() const {
  const auto update = [&](const std::string& sets, std::size_t count) {
    return fmt::format("UPDATE {} SET {} WHERE YCSB_KEY = ${}", options_.table, sets, count + 1);
  };
  std::vector<std::string> texts;
  std::string all;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    texts.push_back(update(names_[i] + "=$1", 1));
    all += fmt::format("{}{}=${}", i == 0 ? "" : ",", names_[i], i + 1);
  }
  return options_.write_all_fields ? std::vector{update(all, names_.size())} : texts;
}

std::string CoreWorkload::insert_text() const {
  std::string places = "$1";
  for (std::size_t i = 0; i < names_.size(); ++i) places += fmt::format(",${}", i + 2);
  return fmt::format("INSERT INTO {} (YCSB_KEY,{}) VALUES({})", options_.table, fmt::join(names_, ","),
                     places);
}

std::vector<std::string> CoreWorkload::texts_of(Statement statement) const {
  const std::string& table = options_.table;
  switch (statement) {
    case Statement::read:
      return {fmt::format("SELECT * FROM {} WHERE YCSB_KEY = $1", table)};
    case Statement::update:
      return update_texts();
    case Statement::insert:
      return {insert_text()};
    case Statement::scan:
      return {fmt::format("SELECT * FROM {} WHERE YCSB_KEY >= $1 ORDER BY YCSB_KEY {}", table,
                          dialect_ == api::Dialect::postgres ? "FETCH FIRST $2 ROWS ONLY" : "LIMIT $2")};
    case Statement::begin:
      return {"BEGIN"};
    case Statement::commit:
      break;
  }
  return {"COMMIT"};
}

std::vector<api::StatementSpec> CoreWorkload::statements() const {
  static constexpr std::array<const char*, 6> kNames{"read", "update", "insert", "scan", "begin", "commit"};
  std::vector<api::StatementSpec> list;
  for (const Statement statement : declared_) {
    api::StatementSpec& spec = list.emplace_back();
    spec.name = kNames[static_cast<std::size_t>(statement)];
    spec.sql = texts_of(statement);
    spec.transaction_control = statement == Statement::begin || statement == Statement::commit;
    if (!spec.transaction_control) spec.rows = {1, statement == Statement::scan ? options_.longest_scan : 1};
  }
  return list;
}

std::vector<std::string> CoreWorkload::kinds() const {
  static constexpr std::array<const char*, 5> kNames{"READ", "UPDATE", "INSERT", "SCAN", "READ-MODIFY-WRITE"};
  std::vector<std::string> names;
  for (const Share& share : shares_) names.emplace_back(kNames[static_cast<std::size_t>(share.operation)]);
  return names;
}

// --- transactions ---

std::unique_ptr<api::SessionState> CoreWorkload::new_state(api::Session&) const {
  std::call_once(once_, [this] {
    // Rows beyond the records are those that an earlier run inserted.
    const std::uint64_t next = std::max(options_.keys.records, options_.keys.first + highest_found_);
    keys_ = std::make_unique<Keys>(options_.keys, next);
  });
  return std::make_unique<State>(names_.size());
}

CoreWorkload::Operation CoreWorkload::draw_operation(random::Generator& random) const {
  double rest = random.unit() * weights_;
  for (const Share& share : shares_) {
    if (rest < share.weight) return share.operation;
    rest -= share.weight;
  }
  return shares_.back().operation;
}

api::KindId CoreWorkload::append(api::Session& session) const {
  const Operation operation = draw_operation(session.random());
  if (operation == Operation::insert) {
    insert(session);
  } else {
    const KeyText key(keys_->chooser.draw(session.random()), options_.format);
    if (operation == Operation::read) read(session, key.view());
    if (operation == Operation::update) update(session, key.view());
    if (operation == Operation::scan) scan(session, key.view());
    if (operation == Operation::read_modify_write) read_modify_write(session, key.view());
  }
  const auto share = std::ranges::find(shares_, operation, &Share::operation);
  return static_cast<api::KindId>(share - shares_.begin());
}

boost::asio::awaitable<api::KindId> CoreWorkload::transaction(api::Session& session) const {
  const api::KindId kind = append(session);
  const api::Outcome outcome = co_await session.play();
  auto& inserting = session.state<State>().inserting;
  if (inserting && outcome.good()) keys_->inserts.confirm(*inserting);
  if (inserting && !outcome.good()) keys_->inserts.give_up(*inserting);
  inserting.reset();
  co_return kind;
}

void CoreWorkload::read(api::Session& session, std::string_view key) const {
  session.add(id_of(Statement::read), 0, key);
}

void CoreWorkload::update(api::Session& session, std::string_view key) const {
  random::Generator& random = session.random();
  std::vector<std::string>& values = session.state<State>().values;
  const std::size_t variant =
      options_.write_all_fields
          ? 0
          : static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(names_.size()) - 1));
  const std::size_t count = options_.write_all_fields ? names_.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    values[i].clear();
    append_random_text(values[i], field_length_.draw(random), random);
  }
  session.add_list(id_of(Statement::update), variant, count + 1,
                   [&](std::size_t i) { return i < count ? std::string_view(values[i]) : key; });
}

void CoreWorkload::insert(api::Session& session) const {
  State& state = session.state<State>();
  state.inserting = keys_->inserts.next();
  const KeyText key(*state.inserting, options_.format);
  for (std::string& value : state.values) {
    value.clear();
    append_random_text(value, field_length_.draw(session.random()), session.random());
  }
  session.add_list(id_of(Statement::insert), 0, state.values.size() + 1, [&](std::size_t i) {
    return i == 0 ? key.view() : std::string_view(state.values[i - 1]);
  });
}

void CoreWorkload::scan(api::Session& session, std::string_view key) const {
  session.add(id_of(Statement::scan), 0, key, static_cast<std::int64_t>(scan_length_.draw(session.random())));
}

void CoreWorkload::read_modify_write(api::Session& session, std::string_view key) const {
  if (options_.update_in_transaction) session.add(id_of(Statement::begin), 0);
  read(session, key);
  if (!options_.update_in_transaction) session.sync();
  update(session, key);
  if (options_.update_in_transaction) session.add(id_of(Statement::commit), 0);
}

}  // namespace workloads::ycsb
