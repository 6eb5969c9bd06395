// Secrets are stored encrypted: AES-256-GCM with keys from a file or the environment.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/cipher.h"

namespace portico::seal {

/// 32 bytes each: the first one encrypts, all of them decrypt. Written as base64, one a line or
/// with blanks between them; '#' begins a comment. kInvalid for another length, for what is no
/// base64, for a key that is there twice and for none at all. No error shows a key.
Result<std::vector<std::string>> parse_keys(std::string_view text);

/// A cipher for objects of kind Secret. A sealed text is "aesgcm:v1:ID:BASE64" with the first eight
/// hex digits of a digest of the key, then nonce, ciphertext and tag; the place is authenticated.
/// `where` says in advice() where the keys are from.
Result<std::shared_ptr<const store::Cipher>> make_cipher(const std::vector<std::string>& keys,
                                                         std::string where);

/// With the keys of `given` (from the environment), or, where that is empty, of the file
/// secrets.key in `folder`, of mode 0600. Where there is none it is made with a new key, once even
/// where several processes want it; without `make` nothing is made, and nothing that was sealed
/// before can be opened.
Result<std::shared_ptr<const store::Cipher>> open_cipher(const std::string& folder,
                                                         const std::string& given,
                                                         bool make = true);

}  // namespace portico::seal
