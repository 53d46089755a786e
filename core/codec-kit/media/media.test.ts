import { expect, it } from "vitest";
import { mediaOf, withMedia } from "./media.ts";

const png = "iVBORw0KGgoAAAANSUhEUg==";

it.each([
  [{ base64: png }, { data: png, mediaType: "image/png" }],
  [{ base64: "AAAA" }, { data: "AAAA" }],
  [
    { base64: "AAAA", mime_type: "Image/WebP" },
    { data: "AAAA", mediaType: "image/webp" },
  ],
  [{ base64: "data:image/gif;base64,AAAA" }, { data: "AAAA", mediaType: "image/gif" }],
  [{ url: "DATA:audio/wav;rate=8000;base64,AAAA" }, { data: "AAAA", mediaType: "audio/wav" }],
  [{ url: `data:;base64,${png}` }, { data: png, mediaType: "image/png" }],
  [
    { url: "gs://b/a.png", mime_type: "image/png" },
    { url: "gs://b/a.png", mediaType: "image/png" },
  ],
  [{ url: 7 }, {}],
])("takes %j apart", (item, media) => {
  expect(mediaOf(item)).toEqual(media);
});

it.each<[object, object]>([
  [{ image: "https://x.example/a.png" }, { image: { url: "https://x.example/a.png" } }],
  [
    { image: "data:image/png;base64,AAAA", text: "a" },
    { image: { url: "data:image/png;base64,AAAA" }, text: "a" },
  ],
  [{ image: png }, { image: { base64: png } }],
  [{ image: { url: "https://x.example/a.png" } }, { image: { url: "https://x.example/a.png" } }],
  [{ image: "" }, { image: "" }],
])("puts what stands bare in %j into an object", (item, whole) => {
  expect(withMedia({ ...item })).toEqual(whole);
});
