import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChatRequest, Format } from "../../core/index.ts";
import { chunksOf } from "../../core/index.ts";
import { root } from "../support/root.ts";
import { pairs } from "./pairs.ts";
import { vendorContext } from "./vendor-context.ts";

/** Scenarios most chat formats have a fixture of: what its vendor is asked, and what it answers. */
const scenarios = ["text", "parallel-tools", "structured-output", "tool-round-trip", "thinking"];

const fixture = (format: Format, scenario: string, file: string): unknown => {
  const path = join(root, "plugins", `format-${format.name}`, "fixtures", scenario, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
};

/** Of a request that is asked of another vendor than it was written for, the model goes by that vendor's name. */
const asked = (client: Format<"chat">, scenario: string): ChatRequest => ({
  ...client.decodeRequest(fixture(client, scenario, "request.json")),
  model: "m",
});

const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * What goes over the wire, in both directions, for every pair of formats: the client's request as its vendor's fixture has
 * it, what the other vendor is sent for it; and that vendor's answer, as the client gets it, whole and streamed. Files to
 * read and to compare: a change of a codec shows here as what it does to the wire.
 */
describe.each(
  pairs.filter(({ client, upstream }) => client !== upstream).map((pair) => ({ ...pair, name: nameOf(pair) })),
)("$name", ({ name, client, upstream }) => {
  const known = scenarios.filter((one) => [client, upstream].every((format) => fixture(format, one, "request.json")));
  it.each(known)("%s", async (scenario) => {
    const file = (kind: string) => join(import.meta.dirname, "fixtures", name, `${scenario}.${kind}`);
    const dropped: string[] = [];
    const sent = upstream.encodeRequest(asked(client, scenario), (field) => dropped.push(field));
    await expect(text({ dropped: dropped.sort(), sent })).toMatchFileSnapshot(file("upstream-request.json"));
    expect(JSON.stringify(upstream.encodeRequest(asked(client, scenario), () => undefined))).toBe(JSON.stringify(sent));

    const response = upstream.decodeResponse(fixture(upstream, scenario, "response.json"));
    await expect(text(client.encodeResponse(response, vendorContext))).toMatchFileSnapshot(file("client-answer.json"));
    const encoder = client.encodeStream?.(vendorContext);
    if (!encoder || client.framing === "aws-event-stream") return;
    const streamed = [...chunksOf(response)].map((chunk) => encoder.push(chunk)).join("") + encoder.end();
    await expect(streamed).toMatchFileSnapshot(file("client-answer.sse"));
  });
});

function nameOf({ client, upstream }: { client: Format; upstream: Format }): string {
  return `${client.name}--${upstream.name}`;
}
