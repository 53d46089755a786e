import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import type { Alias } from "../model/endpoint.ts";
import { meantUrl, urlSays } from "./meant-url.ts";

/** A set that counts how often it is asked. */
class Counting extends Set<string> {
  asked = 0;
  override has(value: string): boolean {
    this.asked++;
    return super.has(value);
  }
}

const named = new Counting(["/v1/chat/completions", "/v1/completions", "/v2/rank", "/v1/"]);
const alias: Alias = {
  prefix: "/vendor/",
  meant: "/v1/",
  named,
  models: "models/",
  without: ["version"],
  renames: { deployment: "model" },
};

function read(url: string, method = "POST"): [url: string, model?: string] {
  const request = Object.assign(new IncomingMessage(new Socket()), { method, url });
  const meant = meantUrl(request, [alias]);
  const { model } = urlSays.get(request) ?? {};
  return model === undefined ? [meant] : [meant, model];
}

it.each<[asked: string, meant: string, model?: string]>([
  ["/vendor/files/f?version=1&limit=2", "/v1/files/f?limit=2"],
  ["/vendor/v1/files", "/v1/files"],
  ["/vendor/socket?version=1&deployment=a", "/v1/socket?model=a"],
  ["/vendor/models/a/chat/completions", "/v1/chat/completions", "a"],
  ["/vendor/v1/models/a/chat/completions/?version=1", "/v1/chat/completions", "a"],
  ["/vendor/models/a/b/completions", "/v1/completions", "a/b"],
  ["/vendor/models/a%2Fb%20c/completions", "/v1/completions", "a/b c"],
  ["/vendor/models/a%zz/completions", "/v1/completions", "a%zz"],
  ["/vendor/models/chat/completions", "/v1/completions", "chat"],
])("reads %s as %s of %s", (asked, ...meant) => expect(read(asked)).toEqual(meant));

it.each([
  "/vendor/models//chat/completions",
  "/vendor/models/a",
  "/vendor/models/",
  "/vendor/models",
  "/vendor/models/a/rank",
  "/vendor/models/a/chat/completions//",
  "/vendor/models/a/xcompletions",
])("finds nothing at %s", (asked) => expect(read(asked)).toEqual([asked]));

it("asks models with POST only", () => {
  const asked = "/vendor/models/a/chat/completions";
  for (const method of ["GET", "DELETE"]) expect(read(asked, method)).toEqual([asked]);
  expect(read("/vendor/files/f", "DELETE")).toEqual(["/v1/files/f"]);
});

it("looks for as little in a path of nothing but slashes: whoever sends one has not been let in", () => {
  named.asked = 0;
  const asked = `/vendor/models/a${"/".repeat(10_000)}`;
  expect(read(asked)).toEqual([asked]);
  expect(named.asked).toBeLessThan(10);
});
