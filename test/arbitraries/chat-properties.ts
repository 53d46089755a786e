import fc from "fast-check";
import { expect } from "vitest";
import type { ChatRequest, EncodeContext, Format } from "../../core/index.ts";
import { arbitraryChatRequest, arbitraryChatResponse, deepFreeze } from "./chat.ts";

/** What several formats hold of every chat. */

type Chat = Format<"chat">;

/** A request that was read off the wire is written as it was read, and nothing of it is lost. */
export function losesNothingMore({ encodeRequest, decodeRequest }: Chat, requests: fc.Arbitrary<ChatRequest>): void {
  fc.assert(
    fc.property(requests, (request) => {
      const wire = encodeRequest(request, () => {});
      const dropped: string[] = [];
      const again = encodeRequest(decodeRequest(deepFreeze(structuredClone(wire))), (name) => dropped.push(name));
      expect(again).toEqual(wire);
      expect(dropped).toEqual([]);
    }),
    { numRuns: 300 },
  );
}

/** What is lost is declared, and told once; the same request is the same text every time, and is not written to. */
export function reportsWhatIsDeclared({ encodeRequest, drops }: Chat, requests = arbitraryChatRequest): void {
  fc.assert(
    fc.property(requests, (request) => {
      const dropped: string[] = [];
      const wire = encodeRequest(deepFreeze(request), (name) => dropped.push(name));
      expect(dropped.filter((name) => !drops.includes(name))).toEqual([]);
      expect(new Set(dropped).size).toBe(dropped.length);
      expect(JSON.stringify(encodeRequest(structuredClone(request), () => {}))).toBe(JSON.stringify(wire));
    }),
  );
}

/** An answer that went over the wire once is not changed by going again. */
export function answersComeBack({ encodeResponse, decodeResponse }: Chat, context: EncodeContext): void {
  fc.assert(
    fc.property(arbitraryChatResponse, (response) => {
      const once = decodeResponse(encodeResponse(response, context));
      expect(decodeResponse(encodeResponse(deepFreeze(once), context))).toEqual(once);
    }),
  );
}
