import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { errorMessage } from "../errors/error-message.ts";

/** Why a file could not be written; undefined where it could. Asks the system, and opens nothing: one that is not there is made below the nearest folder that is. */
export function whyNotWritable(path: string): string | undefined {
  let place = path;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  try {
    accessSync(place, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}
