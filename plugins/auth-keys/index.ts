import { z } from "zod";
import {
  ApiKeys,
  carriedBy,
  credentialOf,
  definePlugin,
  fileKey,
  fileKeys,
  GatewayError,
  Stage,
} from "../../core/index.ts";

export default definePlugin({
  name: "auth-keys",
  summary: "Lets in who has one of the keys of the config file.",
  options: z.strictObject({
    keys: z.array(fileKey).min(1).describe("The keys. Names and keys are unique."),
  }),
  uses: [ApiKeys],
  setup({ hooks, offered }, { keys }) {
    const apiKeys = offered(ApiKeys);
    // With keys of a store besides, one plugin says which credential is known.
    if (apiKeys) return apiKeys.declare(keys);
    const find = fileKeys(keys);
    // After those who know tokens.
    hooks.auth.tap({ name: "auth-keys", stage: Stage.guard }, (exchange) => {
      const credential = credentialOf(exchange);
      if (!credential) return undefined;
      const principal = find(credential.value);
      if (!principal) throw new GatewayError("invalid_api_key", "The API key is not known.");
      return carriedBy(principal, exchange, credential);
    });
  },
});
