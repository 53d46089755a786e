import { expect, it } from "vitest";
import { imagesAsBytes } from "./images-as-bytes.ts";

it.each<[string, string | null, string | null | undefined, string[]]>([
  ["gpt-image-1", "b64_json", undefined, []],
  ["gpt-image-1.5", "url", undefined, ["response_format"]],
  ["chatgpt-image-latest", "url", undefined, ["response_format"]],
  ["gpt-image-1-mini", null, undefined, []],
  ["dall-e-3", "url", "url", []],
  ["my-gpt-image", "b64_json", "b64_json", []],
])("has %s, asked for %j, told %j, and reports %j", (model, asked, told, reported) => {
  const dropped: string[] = [];
  const wire = Object.freeze({ model, prompt: "a", response_format: asked });
  const sent = imagesAsBytes().apply(wire, (name) => dropped.push(name));
  expect(sent).toEqual({ model, prompt: "a", ...(told !== undefined && { response_format: told }) });
  expect(dropped).toEqual(reported);
});

it("goes by the model behind a name", () => {
  const { apply } = imagesAsBytes((name) => (name === "pictures" ? "gpt-image-1" : name));
  expect(apply({ model: "pictures", response_format: "url" })).toEqual({ model: "pictures" });
});
