/** Names whose last words say that what is under them is a secret. */
const secretName =
  /(?:^|_)(?:secrets?|passwords?|passwd|passphrase|tokens?|keys?|apikey|credentials?|authori[sz]ation|auth|cookies?|signature|sig|jwt|jwks?|assertion|pem|access_key_id|secret_id)(?:_(?:value|text|hash))?$/;

/** Numbers under these are secrets too; under `max_tokens` they are none. */
const secretNumber = /(?:^|_)(?:secret|password|passwd|passphrase|token|pin)$/;

/** What is a secret wherever it stands. */
const secretText =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|^(?:Bearer|Basic)\s+\S|^eyJ[\w-]+\.[\w-]+\.[\w-]*$|^(?:sk|rk|xox[a-z]|gh[a-z])[-_][\w-]{12,}$/;

/** `clientSecret`, `client-secret` and `CLIENT_SECRET` are all `client_secret`. */
export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^a-zA-Z0-9]+/g, "_")
    .toLowerCase();

/** Of names in snake case (control-plane.md section 1.10, with what else is usual). */
export const isSecretName = (name: string): boolean => secretName.test(name);
export const isSecretNumber = (name: string): boolean => secretNumber.test(name);
export const isSecretText = (text: string): boolean => secretText.test(text);
