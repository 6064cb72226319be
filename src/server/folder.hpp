#pragma once

#include <filesystem>
#include <string>

namespace pgload::server {

/// A folder `pgload-<pid>-XXXXXX` whose file `lock` is held (flock) as long as its owner lives: how a later
/// start tells a folder in use from one whose pgload was killed.
struct LockedFolder {
  std::filesystem::path path;
  int lock = -1;
};

/// $TMPDIR, or /tmp.
std::filesystem::path temporary_directory();

/// Throws ThrowawayServerError.
LockedFolder make_locked_folder(const std::filesystem::path& parent);

/// Removes the folder with all in it, then lets go of the lock.
void remove_locked_folder(LockedFolder& folder) noexcept;

/// Stops the servers and removes the folders that killed pgloads of this user left in `parent`.
void clear_abandoned_folders(const std::filesystem::path& parent) noexcept;

/// postmaster.pid, by line (server's source, "utils/pidfile.h"): 0 the process, 6 the shared memory, 7 the
/// status.
std::string pidfile_line(const std::filesystem::path& data_directory, int line);

}  // namespace pgload::server
