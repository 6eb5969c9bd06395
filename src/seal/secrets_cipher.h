// Encrypts stored Secrets: AES-256-GCM with keys from a file or the environment.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/cipher.h"

namespace portico::seal {

/// Keys of 32 bytes each: the first one encrypts, all of them decrypt. Written as base64, separated
/// by line breaks, blanks or commas; '#' begins a comment. kInvalid for another length, invalid
/// base64, a duplicate key, or no key at all. No error shows a key.
Result<std::vector<std::string>> parse_keys(std::string_view text);

/// A cipher for objects of kind Secret. A sealed text is "aesgcm:v1:ID:BASE64": ID is the first
/// eight hex digits of a digest of the key, BASE64 the nonce, ciphertext and tag; the place is
/// authenticated. `where` names the keys' origin in advice().
Result<std::shared_ptr<const store::Cipher>> make_cipher(const std::vector<std::string>& keys,
                                                         std::string where);

/// With the keys in `given` (from the environment) or, if it is empty, in the file secrets.key in
/// `folder`. A missing file is created with mode 0600 and a new key, only once even if several
/// processes try; without `make` no file is created, and previously sealed texts cannot be opened.
Result<std::shared_ptr<const store::Cipher>> open_cipher(const std::string& folder,
                                                         const std::string& given,
                                                         bool make = true);

}  // namespace portico::seal
