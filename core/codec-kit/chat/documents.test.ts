import { expect, it } from "vitest";
import { fileNameFor, isTextType, isVideo } from "./documents.ts";

it.each<[string | undefined, string, string]>([
  ["tab", "text/csv", "tab.csv"],
  ["Q3 report", "application/pdf", "Q3 report.pdf"],
  ["a.pdf", "application/pdf", "a.pdf"],
  ["a.tar.gz", "application/pdf", "a.tar.gz"],
  ["v1.2 of it", "application/pdf", "v1.2 of it.pdf"],
  [undefined, "application/pdf", "document.pdf"],
  [undefined, "text/plain; charset=utf-8", "document.txt"],
  [undefined, "text/x-python", "document.txt"],
  ["a", "application/epub", "a.epub"],
  ["a", "application/x-own", "a"],
  [undefined, "application/x-own", "document"],
])("%j with %s is the file %j", (name, mediaType, file) => {
  expect(fileNameFor(name, mediaType)).toBe(file);
});

it.each([
  ["text/markdown", true],
  ["application/json", true],
  ["application/ld+json", true],
  ["application/json; charset=utf-8", true],
  ["application/pdf", false],
  ["image/svg+xml", false],
])("%s is text: %j", (mediaType, expected) => {
  expect(isTextType(mediaType)).toBe(expected);
});

it.each<[Parameters<typeof isVideo>[0]["source"], boolean]>([
  [{ kind: "url", url: "https://a/b.mp4?c" }, true],
  [{ kind: "url", url: "https://a/b.mp4", mediaType: "application/pdf" }, false],
  [{ kind: "url", url: "https://a/b.pdf" }, false],
  [{ kind: "data", data: "", mediaType: "video/webm" }, true],
  [{ kind: "file", fileId: "a.mp4" }, false],
  [{ kind: "url", url: "https://www.youtube.com/watch?v=9hE5-98ZeCg" }, true],
  [{ kind: "url", url: "https://youtu.be/9hE5-98ZeCg" }, true],
  [{ kind: "url", url: "https://notyoutube.com/watch?v=9" }, false],
  [{ kind: "url", url: "https://a.example/?from=https://youtu.be/9" }, false],
])("%j is a video: %j", (source, expected) => {
  expect(isVideo({ type: "document", source })).toBe(expected);
});
