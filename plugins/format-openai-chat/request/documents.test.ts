import { describe, expect, it } from "vitest";
import type { ContentPart, OperationSpec, Source } from "../../../core/index.ts";
import { decodeRequest, encodeRequest } from "./request.ts";

const asked = (part: unknown) => ({
  model: "m",
  messages: [
    {
      role: "user",
      content: [{ type: "text", text: "See." }, part],
    },
  ],
});

/** What a vendor is shown of what clients of other formats show, and what is reported. */
function shown(part: ContentPart, attachments?: OperationSpec["attachments"]) {
  const dropped: string[] = [];
  const text = { type: "text", text: "See." } as const;
  const { messages } = encodeRequest(
    { model: "m", stream: false, messages: [{ role: "user", content: [text, part] }] },
    (name) => dropped.push(name),
    attachments && { attachments },
  );
  const [{ content } = { content: [] }] = messages as { content: unknown }[];
  return { part: Array.isArray(content) ? content[1] : undefined, dropped };
}

const data = (mediaType: string, bytes = "AAAA"): Source => ({ kind: "data", data: bytes, mediaType });
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("documents of clients of other formats", () => {
  it.each<[string, Source, string | undefined, object]>([
    [
      "the bytes of a PDF, which get a name",
      data("application/pdf"),
      undefined,
      { type: "file", file: { file_data: "data:application/pdf;base64,AAAA", filename: "document.pdf" } },
    ],
    [
      "the bytes of a PDF",
      data("application/pdf"),
      "a.pdf",
      { type: "file", file: { file_data: "data:application/pdf;base64,AAAA", filename: "a.pdf" } },
    ],
    ["a file of the vendor", { kind: "file", fileId: "f" }, undefined, { type: "file", file: { file_id: "f" } }],
    ["a text", { kind: "text", text: "Hi", mediaType: "text/plain" }, "a.txt", { type: "text", text: "a.txt\n\nHi" }],
    [
      "a text without a name",
      { kind: "text", text: "Hi", mediaType: "text/plain" },
      undefined,
      { type: "text", text: "Hi" },
    ],
    ["text that came as bytes", data("application/json", base64("[1]")), undefined, { type: "text", text: "[1]" }],
  ])("%s", (_, source, name, part) => {
    expect(shown({ type: "document", source, ...(name !== undefined && { name }) })).toEqual({ part, dropped: [] });
  });

  it.each(["image", "document"] as const)(
    "the type of an %s by its id stays here: vendors of this format know it, and have no field for it",
    (type) => {
      const source: Source = { kind: "file", fileId: "f", mediaType: "image/png" };
      expect(shown({ type, source })).toEqual({ part: { type: "file", file: { file_id: "f" } }, dropped: [] });
    },
  );

  it.each<[string, ContentPart, string]>([
    [
      "a document to be fetched",
      { type: "document", source: { kind: "url", url: "https://a/b.pdf" } },
      "messages.document",
    ],
    ["a document of another kind", { type: "document", source: data("application/msword") }, "messages.document"],
    ["text that is none", { type: "document", source: data("text/plain", "/w==") }, "messages.document"],
    ["a video", { type: "document", source: data("video/mp4") }, "messages.video"],
    ["a video to be fetched", { type: "document", source: { kind: "url", url: "s3://a/b.mp4" } }, "messages.video"],
    ["a sound of another kind", { type: "audio", source: data("audio/flac") }, "messages.audio"],
  ])("%s is left out and reported", (_, part, name) => {
    expect(shown(part)).toEqual({ part: undefined, dropped: [name] });
  });

  it.each<[string, ContentPart, NonNullable<OperationSpec["attachments"]>[number], object]>([
    [
      "documents to be fetched",
      { type: "document", name: "b", source: { kind: "url", url: "https://a/b", mediaType: "text/csv" } },
      "document-url",
      { type: "file", file: { file_url: "https://a/b", mime_type: "text/csv", filename: "b" } },
    ],
    [
      "documents of all kinds",
      { type: "document", source: data("image/x") },
      "document",
      { type: "file", file: { file_data: "data:image/x;base64,AAAA", filename: "document" } },
    ],
    [
      "videos",
      { type: "document", source: data("video/mp4") },
      "video",
      { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA" } },
    ],
    [
      "sounds of all kinds",
      { type: "audio", source: data("audio/flac") },
      "audio",
      { type: "input_audio", input_audio: { data: "AAAA", format: "flac" } },
    ],
  ])("%s reach vendors that take them", (_, part, attachment, wire) => {
    expect(shown(part, [attachment])).toEqual({ part: wire, dropped: [] });
  });

  it("stay in the result of the tool that gave them, where they are text", () => {
    const source: Source = { kind: "text", text: "Hi", mediaType: "text/plain" };
    const result = { type: "tool-result", toolCallId: "a", content: [{ type: "document", source }] } as const;
    const { messages } = encodeRequest(
      { model: "m", stream: false, messages: [{ role: "tool", content: [result] }] },
      () => {},
    );
    expect(messages).toEqual([{ role: "tool", tool_call_id: "a", content: "Hi" }]);
  });
});

describe("documents of clients of this format", () => {
  it.each<object>([
    { type: "file", file: { file_url: "https://a/b.pdf" } },
    { type: "file", file: { file_url: "https://a/b.pdf", mime_type: "text/csv", filename: "b" } },
    { type: "file", file: { file_data: "data:application/pdf;base64,AAAA" } },
    { type: "file", file: { file_data: "data:application/pdf;base64,AAAA", filename: "a.pdf" } },
    { type: "file", file: { file_data: `data:text/plain;base64,${base64("Hi")}` } },
    { type: "file", file: { file_data: `data:text/plain;base64,${base64("Hi")}`, filename: "a.txt" } },
    { type: "file", file: { file_data: "data:application/msword;base64,AAAA", filename: "a.doc" } },
    { type: "file", file: { file_data: "AAAA", mime_type: "video/mp4" } },
    { type: "file", file: { file_id: "f", filename: "a" } },
    { type: "file", file: { file_id: "f", mime_type: "video/mp4" } },
    { type: "file", file: { file_id: "f", mime_type: "image/png", filename: "a.png" } },
    { type: "file", file: { file_data: "data:image/png;base64,AAAA" } },
    { type: "file", file: { file_data: "data:image/png;base64,AAAA", filename: "a.png" } },
    { type: "file", file: { file_data: "AAAA", mime_type: "image/png" } },
    { type: "file", file: { file_url: "https://a/b", mime_type: "image/png", detail: "low" } },
    { type: "image_url", image_url: { url: `data:text/plain;base64,${base64("Hi")}` } },
    { type: "image_url", image_url: { url: "https://a/b.mp4", mime_type: "video/mp4" } },
    { type: "input_audio", input_audio: { data: "AAAA", format: "flac" } },
    { type: "video_url", video_url: { url: "https://a/b.mp4" } },
  ])("come back as they were: %j", (part) => {
    const dropped: string[] = [];
    expect(encodeRequest(decodeRequest(asked(part)), (name) => dropped.push(name))).toEqual(asked(part));
    expect(dropped).toEqual([]);
  });

  it.each([
    [{ file_data: "data:image/png;base64,AAAA", filename: "a.png" }, data("image/png")],
    [
      { file_url: "https://a/b", mime_type: "image/png" },
      { kind: "url", url: "https://a/b", mediaType: "image/png" },
    ],
    [
      { file_id: "f", mime_type: "image/png" },
      { kind: "file", fileId: "f", mediaType: "image/png" },
    ],
  ])("are read as images where they are: %j", (file, source) => {
    const [message] = decodeRequest(asked({ type: "file", file })).messages;
    expect(message?.content[1]).toMatchObject({ type: "image", source });
  });

  it("are no images where not all vendors would look at them", () => {
    for (const file of [
      { file_data: "data:image/svg+xml;base64,AAAA" },
      { file_data: "AAAA", mime_type: "image/tiff" },
      { file_id: "f", mime_type: "image/svg+xml" },
    ])
      expect(decodeRequest(asked({ type: "file", file })).messages[0]?.content[1]).toMatchObject({ type: "document" });
  });

  it("are read as text where they are, so that others can say so", () => {
    const source = { kind: "text", text: "Grüße", mediaType: "text/plain" };
    for (const file of [
      { file_data: `data:text/plain;base64,${base64("Grüße")}` },
      { file_data: `data:text/plain;charset=iso-8859-1;base64,${Buffer.from("Grüße", "latin1").toString("base64")}` },
      { file_data: base64("Grüße"), mime_type: "text/plain" },
      { file_data: "Grüße", mime_type: "text/plain" },
    ])
      expect(decodeRequest(asked({ type: "file", file })).messages[0]?.content[1]).toMatchObject({
        type: "document",
        source,
      });
  });
});
