#include "src/cli/document_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/cli/option_reader.hpp"
#include "src/cli/usage_error.hpp"
#include "src/report/document_formats.hpp"

namespace pgload::cli {

void read_document_command(const Arguments& arguments, CommandLine& line) {
  const bool merging = line.command == CommandLine::Command::merge;
  const char* command = merging ? "merge" : "report";
  for (const auto& [name, value] : arguments.values)
    if (name != "percentiles" && name != (merging ? "json" : "format"))
      throw UsageError(fmt::format("--{} does not go with `pgload {}`", name, command));
  line.files.assign(arguments.words.begin() + 1, arguments.words.end());
  if (merging && line.files.size() < 2)
    throw UsageError("which results? Name two files or more: pgload merge a.json b.json --json whole.json");
  if (!merging && line.files.size() != 1)
    throw UsageError("which result? Name one file: pgload report run.json --format csv");

  const OptionReader reader(arguments.values);
  line.json = reader.text("json");
  if (line.json && line.json->empty()) reader.refuse("json", "a file's name is wanted, or - for stdout");
  line.percentiles_given = reader.has("percentiles");
  if (line.percentiles_given) line.percentiles = reader.percentiles("percentiles");
  line.format = reader.text("format").value_or("text");
  if (std::ranges::find(report::kDocumentFormats, line.format) == report::kDocumentFormats.end())
    reader.refuse("format",
                  fmt::format("one of these is wanted: {}", fmt::join(report::kDocumentFormats, ", ")));
}

}  // namespace pgload::cli
