import { describe, expect, it } from "vitest";
import { readForm } from "../../core/index.ts";
import { named } from "./testing.ts";

describe("requests to Stability's second version", () => {
  const format = named("stability-v2");
  const sent = (model: string, fields: object = {}) => {
    const ask = { model, prompt: "a", extra: { format: "openai-images", fields: { ...fields } } };
    const { bytes, contentType } = format.writeBody?.(format.encodeRequest(ask, () => {})) ?? {};
    return readForm(Buffer.from(bytes ?? ""), contentType ?? "");
  };

  it.each([
    ["sd3.5-large-turbo", "sd3", true],
    ["sd3-medium", "sd3", true],
    ["sd3", "sd3", false],
    ["ultra", "ultra", false],
  ])("for %s go to %s, and say the model there where one address is for several", (model, place, says) => {
    const path = format.upstream?.path;
    expect(typeof path === "function" && path({ model, stream: false })).toBe(`/v2beta/stable-image/generate/${place}`);
    expect(sent(model)).toMatchObject([
      { name: "prompt", value: "a" },
      ...(says ? [{ name: "model", value: model }] : []),
    ]);
  });

  it.each<[string, object]>([
    ["data:image/png;base64,aGk=", { filename: "image", contentType: "image/png", bytes: Buffer.from("hi") }],
    ["aGk=", { filename: "image", bytes: Buffer.from("hi") }],
  ])("have the image %s as a file", (image, value) => {
    const fields = { image, strength: 0.5, mode: "image-to-image" };
    expect(sent("sd3.5-large", fields)).toMatchObject([
      { name: "prompt" },
      { name: "image", value },
      { name: "strength", value: "0.5" },
      { name: "mode", value: "image-to-image" },
      { name: "model" },
    ]);
  });

  it.each(["https://a/b.png", "", 7, "data:image/png,hi"])("are refused with the image %j", (image) => {
    expect(() => sent("core", { image })).toThrow(expect.objectContaining({ details: { param: "image" } }));
  });
});
