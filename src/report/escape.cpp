#include "src/report/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "src/report/format.hpp"

namespace pgload::report {
namespace {

struct Character {
  std::size_t bytes = 1;
  char32_t code = 0;
  bool valid = false;
};

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// The first character of a text that is not empty. Source: RFC 3629, section 4 "Syntax of UTF-8 Byte
/// Sequences".
Character first_character(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  if (lead < 0x80) {
    return {1, lead, true};
  }
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
    return {};
  }
  char32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80) {
      return {};
    }
    code = code << 6 | (byte_at(text, i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) {
    return {};
  }
  return {length, code, true};
}

/// C0, DEL and C1 controls, line and paragraph separators, and what reorders the text around it.
bool commands_a_terminal(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

void append_escaped(std::string& out, const Character& character, std::string_view raw) {
  if (!character.valid) {
    fmt::format_to(std::back_inserter(out), "\\x{:02X}", byte_at(raw, 0));
  } else if (character.code == '\n') {
    out += "\\n";
  } else if (character.code == '\t') {
    out += "\\t";
  } else if (character.code == '\r') {
    out += "\\r";
  } else if (character.code < 0x80) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<std::uint32_t>(character.code));
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(character.code));
  }
}

}  // namespace

std::string visible(std::string_view text, std::size_t max_characters) {
  std::string out;
  std::size_t shown = 0;
  for (std::string_view rest = text; !rest.empty(); ++shown) {
    if (shown == max_characters) {
      return out + fmt::format("... [{} bytes]", grouped(text.size()));
    }
    const Character character = first_character(rest);
    const std::string_view raw = rest.substr(0, character.bytes);
    if (character.valid && !commands_a_terminal(character.code)) {
      out += raw;
    } else {
      append_escaped(out, character, raw);
    }
    rest.remove_prefix(character.bytes);
  }
  return out;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const Character character = first_character(rest);
    const std::string_view raw = rest.substr(0, character.bytes);
    if (character.valid) {
      out += raw;
    } else {
      append_escaped(out, character, raw);
    }
    rest.remove_prefix(character.bytes);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

}  // namespace pgload::report
