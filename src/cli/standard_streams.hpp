#pragma once

namespace pgload::cli {

/// Occupies those of descriptors 0 to 2 that the caller has closed (`2>&-`), so that no socket or file of
/// this process gets their number, and progress lines for its data. To be called before anything is opened.
/// Writing to one of them still fails.
void occupy_standard_streams();

}  // namespace pgload::cli
