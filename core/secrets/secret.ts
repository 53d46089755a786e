import { inspect } from "node:util";
import { z } from "zod";

/** What a secret prints as. */
export const shownSecret = "[secret]";

/** A value that cannot be printed, logged or serialised. It becomes text only where a header is written. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return shownSecret;
  }
  toJSON(): string {
    return shownSecret;
  }
  [inspect.custom](): string {
    return shownSecret;
  }
}

/** A secret in an options schema: text in the config file, usually `${ENV_NAME}`; a Secret for the plugin. */
export const secret = () => z.string().transform((value) => new Secret(value));
