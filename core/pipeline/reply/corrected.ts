import { writeJson } from "../../codec-kit/exact-json.ts";
import { jsonOr } from "../../codec-kit/records.ts";
import type { Road } from "../road.ts";
import { collect } from "./collect.ts";
import type { Result } from "./result.ts";
import { said } from "./said.ts";
import { unpackedBytes } from "./unpacked.ts";

/** A JSON answer that is passed on, as the client is to have it. Whoever changes nothing returns it itself. */
export type Correct = (wire: unknown) => unknown;

/** An answer that passes, corrected where the vendor says something else than its namesake. */
export async function corrected(road: Road, result: Result, correct: Correct): Promise<Result> {
  if (result.kind !== "relay" || !result.outcome.ok) return result;
  const { target, outcome, headers, reply, witness } = result;
  const limit = road.settings.upstreamBodyBytes;
  const bytes = await collect(reply, limit);
  const passed = { kind: "whole", target, outcome, headers, witness } as const;
  const plain = await unpackedBytes(bytes, String(headers["content-encoding"] ?? ""), limit);
  said.set(reply.conversation.attempt, plain);
  const wire = plain && jsonOr(plain.toString(), undefined);
  const corrected = wire === undefined ? wire : correct(wire);
  if (corrected === wire) return { ...passed, bytes };
  const written = Buffer.from(writeJson(corrected));
  if (plain === bytes) return { ...passed, bytes: written };
  delete headers["content-encoding"];
  // A witness unpacks what it is shown as the vendor packed it.
  const shown = witness && { see: () => witness.see(bytes), end: (whole: boolean) => witness.end(whole) };
  return { ...passed, witness: shown, bytes: written };
}
