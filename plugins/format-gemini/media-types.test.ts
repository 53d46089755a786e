import { expect, it } from "vitest";
import { decodeMedia, encodeMedia } from "./media.ts";
import { mediaTypeOf } from "./media-types.ts";

it.each<[string, string]>([
  ["a.mp4", "video/mp4"],
  ["a.mpg", "video/mpg"],
  ["a.3gp", "video/3gpp"],
  ["a.JPG", "image/jpeg"],
  ["a.heif", "image/heif"],
  ["a.md", "text/markdown"],
  ["a.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  ["a.ods", "application/vnd.oasis.opendocument.spreadsheet"],
  ["a.mp3", "audio/mp3"],
  ["a.opus", "audio/opus"],
  ["a.flac", "audio/flac"],
  ["a.pcm", "audio/pcm"],
  ["a.aac", "audio/aac"],
  ["a.m4a", "audio/m4a"],
  ["a.mpga", "audio/mpga"],
  ["a.ogg?x=a.pdf#y", "audio/ogg"],
])("what is at %s is %s, whatever part it stands in (inference-api.md section 7.2)", (name, type) => {
  for (const kind of ["image", "audio", "document"] as const)
    expect(mediaTypeOf(`https://files.example/${name}`, kind)).toBe(type);
});

it("videos of YouTube are such, whatever part they stand in", () => {
  for (const kind of ["image", "document"] as const)
    for (const url of ["https://www.youtube.com/watch?v=9hE5-98ZeCg", "https://youtu.be/9hE5-98ZeCg"])
      expect(mediaTypeOf(url, kind)).toBe("video/mp4");
});

it.each([
  ["image/png", "files/a", "image"],
  ["video/mp4", "files/a", "document"],
  ["application/pdf", "files/a", "document"],
  ["audio/wav", "files/a", "audio"],
  ["video/mp4", "gs://b/a", "document"],
])("the type %s of %s stays with it", (mimeType, fileUri, type) => {
  const part = decodeMedia({ fileData: { mimeType, fileUri } });
  expect(part?.type).toBe(type);
  expect(part && encodeMedia(part)).toEqual({ fileData: { mimeType, fileUri } });
});
