#include "src/cli/help_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "src/cli/options.hpp"

namespace pgload::cli {
namespace {

constexpr std::size_t kColumns = 80;

constexpr std::string_view kIntroduction =
    R"(pgload puts load on PostgreSQL and measures how it answers.

usage: pgload [run] --workload NAME [options]     run a workload and report
       pgload sweep --workload NAME [options]     run after run, climbing
       pgload prepare --workload NAME [options]   create and fill its tables
       pgload warmup --workload NAME [options]    read them into memory
       pgload cleanup --workload NAME [options]   drop its tables
       pgload report FILE [--format NAME]         a result of --json again
       pgload merge FILE FILE ... [--json FILE]   several clients as one
       pgload list                                workloads, a line each
       pgload help NAME                           a workload's options

examples:
  pgload --ephemeral --workload oltp_point_select --sessions 16
  pgload prepare --workload oltp_point_select --tables 4 -h db1 -d bench
  pgload --workload oltp_point_select -c 128 -T 1m30s -h db1,db2 -d bench
)";

constexpr std::string_view kConclusion = R"(
TIME: 500ms, 1m30s, 2h, or a number of seconds. N: 20k, 1M, 5G are decimal.
The steps of a sweep: --sessions 1,2,4..1024 (doubling) or --rate
1000..50000x1.5 or 10..100+10; each step is warmed up, 2s if not said otherwise.
A profile of --rate or --sessions: 'ramp 0..2000 over 60s, hold 5m,
step 100 every 30s to 5000, 500 for 10s'; without -T it is run to its end.
An option given twice: the last wins; a switch is taken back by --name=off.
Options of a run may stand with prepare and cleanup too, so that one config file
serves all. A workload's own options (--tables ...) are in `pgload help NAME`.
Connection defaults come from PGHOST, PGPORT and the other variables of libpq,
passwords from PGPASSWORD or ~/.pgpass.

exit codes: 0 good, 1 usage or set-up, 2 the run failed, 4 not valid by verdict
(with --strict), 129/130/143 stopped by SIGHUP, SIGINT, SIGTERM.
)";

/// A term, then its text in a column of its own, wrapped.
void add_row(std::string& out, const std::string& term, std::string_view text, std::size_t column) {
  std::string line = term;
  if (!term.empty() && line.size() + 2 > column) {
    out += line + '\n';
    line.clear();
  }
  line.resize(column, ' ');
  while (!text.empty()) {
    const bool whole = text.starts_with("(default ") && text.find(')') == text.size() - 1 &&
                       column + text.size() <= kColumns;  // a default that ends the text stays together
    auto end = whole ? text.size() : std::min(text.find(' '), text.size());
    bool cut = false;  // a list without spaces that is longer than a line
    if (const auto comma = text.rfind(',', kColumns - column - 1); end > kColumns - column && comma < end) {
      end = comma + 1;
      cut = true;
    }
    const bool first = line.size() == column;
    if (!first && line.size() + 1 + end > kColumns) {
      out += line + '\n';
      line.assign(column, ' ');
      continue;
    }
    if (!first) line += ' ';
    line += text.substr(0, end);
    text.remove_prefix(std::min(cut ? end : end + 1, text.size()));
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

/// Paragraphs, wrapped. A line that begins with a space or a dash stands by itself.
void add_text(std::string& out, std::string_view text) {
  std::string paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) add_row(out, "", paragraph, 0);
    paragraph.clear();
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const auto line = text.substr(begin, end - begin);
    if (line.empty() || line[0] == ' ' || line[0] == '-') {
      flush();
      out.append(line) += '\n';
    } else {
      if (!paragraph.empty()) paragraph += ' ';
      paragraph += line;
    }
    begin = end + 1;
  }
  flush();
}

std::string term(const Option& option) {
  return fmt::format("  {} --{}{}{}", option.letter == 0 ? "   " : fmt::format("-{},", option.letter),
                     option.name, option.value.empty() ? "" : " ", option.value);
}

std::string option_text(const workloads::api::OptionSpec& option) {
  std::string text = option.help;
  if (!option.choices.empty()) text += fmt::format(": {}", fmt::join(option.choices, ", "));
  return text + fmt::format(" (default {})", option.default_value.empty() ? "none" : option.default_value);
}

/// Every run of white space as one blank.
std::string one_line(std::string_view sql) {
  std::string line;
  for (const char c : sql) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

const char* value_name(workloads::api::OptionSpec::Type type) {
  using enum workloads::api::OptionSpec::Type;
  switch (type) {
    case integer:
      return "N";
    case real:
      return "NUMBER";
    case boolean:
      return "on|off";
    case text:
      break;
  }
  return "TEXT";
}

}  // namespace

std::string help_text() {
  constexpr std::size_t kColumn = 30;
  using enum Option::Group;
  const std::vector<std::pair<Option::Group, const char*>> headings{{load, "load"},
                                                                    {data, "server and data"},
                                                                    {connection, "connection"},
                                                                    {report, "report"},
                                                                    {other, "other"}};
  std::string out(kIntroduction);
  for (const auto& [group, heading] : headings) {
    out += fmt::format("\n{}:\n", heading);
    for (const Option& option : general_options())
      if (option.group == group) add_row(out, term(option), option.help, kColumn);
  }
  return out.append(kConclusion);
}

std::string workload_list(std::span<const workloads::api::Descriptor> workloads) {
  std::size_t column = 0;
  for (const auto& workload : workloads) column = std::max(column, workload.name.size() + 2);
  std::string out;
  for (const auto& workload : workloads)
    out += fmt::format("{:<{}}{}\n", workload.name, column, workload.summary);
  return out;
}

std::string workload_help(const workloads::api::Descriptor& workload) {
  constexpr std::size_t kColumn = 26;
  std::string out = fmt::format("{}: {}\n\n", workload.name, workload.summary);
  add_text(out, workload.help);
  if (!workload.options.empty()) out += "\noptions:\n";
  for (const auto& option : workload.options)
    add_row(out, fmt::format("  --{} {}", option.name, value_name(option.type)), option_text(option),
            kColumn);
  out += "\nstatements:\n";
  const auto example = workload.make(workloads::api::OptionValues(workload.options, {}));
  for (const auto& statement : example->statements())
    add_row(out, "  " + statement.name, one_line(statement.sql.front()), kColumn);
  out += fmt::format("\nexample:\n  pgload --ephemeral --workload {} --sessions 16\n", workload.name);
  return out;
}

std::string version() { return PGLOAD_VERSION; }

}  // namespace pgload::cli
