#pragma once

#include <string>

/// Compares `text` with golden/<name>; PGLOAD_WRITE_GOLDEN=1 writes the file anew, for a reader of the diff
/// to judge.
void check_golden(const std::string& name, const std::string& text);
