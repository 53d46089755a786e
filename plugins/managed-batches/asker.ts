import type { Principal } from "../../core/index.ts";
import { failed } from "./endings.ts";
import type { Work } from "./working.ts";

/** Who the batch is for, as they are by now; undefined where their key lets nobody in any more. */
export const today = async ({ working: { keys }, batch }: Work): Promise<Principal | undefined> => {
  const { principal } = batch.document;
  return keys ? keys.today(principal) : principal;
};

/** Ends it because of that. */
export const keyGone = (work: Work): Promise<void> =>
  failed(work, "failed", [
    { code: "invalid_api_key", message: "The API key that the batch was made with lets nobody in any more." },
  ]);
