import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { type Format, GatewayError, z } from "../../core/index.ts";
import { arbitraryChatRequest, arbitraryChatResponse } from "../arbitraries/chat.ts";
import { chatFormats } from "./pairs.ts";

/**
 * Schemas are made when the gateway starts: to make one takes longer than to read what it is used for. How zod makes them is no part
 * of what it promises: each has a `_zod` of its own.
 */
let made = 0;

const { defineProperty } = Object;

function counting(): void {
  made = 0;
  vi.spyOn(Object, "defineProperty").mockImplementation((object, name, how) => {
    if (name === "_zod") made++;
    return defineProperty(object, name, how);
  });
}

afterEach(() => void vi.restoreAllMocks());

const requests = fc.sample(arbitraryChatRequest, { seed: 2, numRuns: 60 });
const responses = fc.sample(arbitraryChatResponse, { seed: 2, numRuns: 60 });
const context = { provider: "acme", model: "acme-1", strict: false, now: 1, id: "0f1e2d", includeUsage: true };

function goThrough(format: Format<"chat">): void {
  for (const request of requests)
    unlessRefused(() => format.decodeRequest(copied(format.encodeRequest(request, () => undefined))));
  for (const response of responses)
    unlessRefused(() => format.decodeResponse(copied(format.encodeResponse(response, context))));
}

const copied = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function unlessRefused(go: () => unknown): void {
  try {
    go();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}

it("is noticed when a schema is made", () => {
  counting();
  z.strictObject({ name: z.string() });
  expect(made).toBeGreaterThanOrEqual(2);
});

it.each(chatFormats.map((format) => [format.name, format] as const))(
  "no schema is made to read or write %s",
  (_, format) => {
    goThrough(format);
    counting();
    goThrough(format);
    expect(made).toBe(0);
  },
);
