import type { Format } from "../model/format.ts";
import { type Fields, isRecord } from "./records.ts";

/**
 * Errors where AWS's clients look for them: `{__type, message}`, with the type in a header as well, which is read first. `nameOf`
 * names an error of the gateway or of a vendor by its type and the status it is told with, as a service of AWS would.
 */
export const awsErrors = (nameOf: (type: unknown, status: number | undefined) => string) =>
  ({
    encodeError({ error, ...rest }: Fields, status?: number): Fields {
      if (!isRecord(error)) return error === undefined ? rest : { error, ...rest };
      return { __type: nameOf(error.type, status), message: error.message, ...rest };
    },
    errorHeaders: ({ __type: type }: Readonly<Fields>): Readonly<Record<string, string>> =>
      typeof type === "string" ? { "x-amzn-errortype": type } : {},
  }) satisfies Pick<Format, "encodeError" | "errorHeaders">;
