#include "cli/fetcher.h"

#include <cstdlib>

#include "base/secrets.h"
#include "cli/pull_metadata.h"
#include "krm/file_paths.h"

namespace portico::cli {

namespace {

// The folder for mirrors of remote repositories, kept between commands.
std::string cache_folder() {
  if (const char* own = std::getenv("PORTICO_CACHE_DIR"); own != nullptr && *own != '\0')
    return own;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return std::string(cache) + "/portico";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "/tmp") + "/.cache/portico";
}

}  // namespace

Fetcher::Fetcher(Context& context)
    : upstreams_({.cache = cache_folder() + "/repos",
                  .limits = {},
                  .patience = std::chrono::seconds(600),
                  .stopped = context.stop()}),
      context_(context) {}

package::Fetch Fetcher::fetch() {
  return [this](const krm::GitLocation& where) { return read(where); };
}

Result<package::Fetched> Fetcher::read(const krm::GitLocation& where) {
  const std::string& version = where.commit.empty() ? where.ref : where.commit;
  context_.terminal.hint(fmt::format("fetching {}@{}", without_secrets(where.repo), version));
  PORTICO_TRY(repo::UpstreamVersion found, upstreams_.read(where));
  // They are not written, so an update must not treat them as removed by the user.
  folder::Written written{krm::links_out(found.package)};
  for (const std::string& link : written.links_left_out) found.package.files.erase(link);
  if (warned_.insert(found.commit).second) note_links(written, context_.terminal);
  return package::Fetched{std::move(found.package), std::move(found.commit), std::move(found.ref)};
}

}  // namespace portico::cli
