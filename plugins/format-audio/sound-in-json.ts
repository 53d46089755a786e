import { type Format, isRecord, raise, readErrorBody } from "../../core/index.ts";

/** Answers of vendors whose sound stands in a field of JSON, in base64. They say nothing of what was used. */
export const soundInJson = (field: string) =>
  ({
    decodeResponse(wire) {
      const audio = isRecord(wire) ? wire[field] : undefined;
      if (typeof audio !== "string")
        return raise(
          "upstream_invalid",
          `The answer holds no sound: ${readErrorBody(wire)?.message ?? "it is missing"}`,
        );
      return { audio };
    },
    encodeResponse: ({ audio }) => ({ [field]: audio }),
    decodeError: readErrorBody,
    readUsage: () => undefined,
  }) satisfies Partial<Format<"speech">>;
