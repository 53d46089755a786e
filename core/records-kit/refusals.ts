import { RecordError, type RecordKey } from "../services/records.ts";
import type { WriteResult } from "./backend.ts";
import { fieldsOf } from "./document.ts";

/** The error of a write that was not done. */
export function refusal(
  collection: string,
  { tenant, id }: RecordKey,
  result: Exclude<WriteResult, { kind: "done" }>,
): RecordError {
  const which = `${collection} "${id}" of "${tenant}"`;
  switch (result.kind) {
    case "exists":
      return new RecordError("exists", `${which} is there already`);
    case "absent":
      return new RecordError("absent", `${which} is not there`);
    case "conflict":
      return new RecordError("conflict", `${which} is at version ${result.version} by now: read it again`);
    case "schema":
      return laterSchema(which, result.schema);
    case "duplicate": {
      const fields = [...new Set(result.claims.flatMap(fieldsOf))];
      return new RecordError("duplicate", `${which}: another one has the same ${fields.join(", ")}`, fields);
    }
  }
}

export const laterSchema = (which: string, schema: number): RecordError =>
  new RecordError("schema", `${which} is in schema ${schema}, which a later version of the gateway has written`);
