import { z } from "zod";
import {
  compact,
  type EncodeContext,
  extraIn,
  type Fields,
  type Format,
  fieldsBeyond,
  isRecord,
  lenientText,
  type OcrRequest,
  type OcrResponse,
  ownFields,
  parseAnswer,
  parseRequest,
  readErrorBody,
  recordsIn,
  reportForeign,
  tokenCount,
  type Usage,
} from "../../core/index.ts";

const formatName = "mistral-ocr";
const providerKey = '"provider"';

const text = z.string("a string").min(1, "a string that is not empty");
const types = "document_url, image_url or file";
const documents = `an object with the type ${types}`;
const pages = 'a list of page numbers, of which the first is 0, or a text of numbers and ranges such as "0,2-4"';
const ranges = /^\s*\d+(?:-\d+)?(?:\s*,\s*\d+(?:-\d+)?)*\s*$/;
const count = "an integer of 0 or more";
const natural = z.int(count).min(0, count).nullish();

const request = z.looseObject(
  {
    model: text,
    document: z.discriminatedUnion(
      "type",
      [
        z.looseObject({ type: z.literal("document_url"), document_url: text }),
        z.looseObject({
          type: z.literal("image_url"),
          image_url: z.union([text, z.looseObject({ url: text })], "a URL"),
        }),
        z.looseObject({ type: z.literal("file"), file_id: text }),
      ],
      { error: ({ code }) => (code === "invalid_union" ? types : documents) },
    ),
    pages: z.union([z.array(z.int(pages).min(0, pages), pages), z.string(pages).regex(ranges, pages)], pages).nullish(),
    include_image_base64: z.boolean("true or false").nullish(),
    image_limit: natural,
    image_min_size: natural,
  },
  "an object",
);

const answer = z.looseObject({
  model: lenientText,
  pages: z.array(z.looseObject({ index: z.number(), markdown: z.string() })),
  usage_info: z.unknown().optional(),
});

function decodeRequest(body: unknown): OcrRequest {
  const wire = parseRequest(request, body);
  const { image_limit, image_min_size } = wire;
  return {
    model: wire.model,
    document: wire.document,
    ...compact({ pages: wire.pages, includeImages: wire.include_image_base64 }),
    ...extraIn(formatName, compact({ image_limit, image_min_size, ...fieldsBeyond(wire, request) })),
  };
}

function encodeRequest(asked: OcrRequest, report: (dropped: string) => void): Fields {
  reportForeign(formatName, asked.extra, "", report);
  return {
    model: asked.model,
    document: asked.document,
    ...compact({ pages: asked.pages, include_image_base64: asked.includeImages }),
    ...ownFields(formatName, asked.extra),
  };
}

function decodeResponse(body: unknown): OcrResponse {
  const wire = parseAnswer(answer, body, "a document that was read");
  return {
    ...compact({ model: wire.model }),
    pages: wire.pages.map((page) => ({
      index: page.index,
      markdown: page.markdown,
      ...extraIn(formatName, fieldsBeyond(page, answer.shape.pages.element)),
    })),
    ...compact({ usage: readUsage(wire) }),
    ...extraIn(formatName, compact({ usage_info: wire.usage_info, ...fieldsBeyond(wire, answer) })),
  };
}

const encodeResponse = ({ pages, model, usage, extra }: OcrResponse, context: EncodeContext): Fields => ({
  pages: pages.map((page) => ({
    index: page.index,
    markdown: page.markdown,
    ...ownFields(formatName, page.extra),
  })),
  model: model ?? context.model,
  ...(usage?.pages !== undefined && { usage_info: { pages_processed: usage.pages } }),
  ...ownFields(formatName, extra),
  provider: context.provider,
});

/** Pages are what is paid for, and more where they are annotated (docs.mistral.ai, "OCR 4.1"). */
function readUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire) || !isRecord(wire.usage_info)) return undefined;
  const read = tokenCount(wire.usage_info.pages_processed);
  if (read === undefined) return undefined;
  return isAnnotated(wire) ? { pages: read, annotatedPages: read } : { pages: read };
}

/** Whether the document, or an image in it, was put into a shape that was asked for. */
const isAnnotated = ({ document_annotation: whole, pages }: Readonly<Fields>): boolean =>
  typeof whole === "string" ||
  recordsIn(pages).some(({ images }) => recordsIn(images).some((one) => typeof one.image_annotation === "string"));

export const mistralOcr: Format<"ocr"> = {
  name: formatName,
  operation: "ocr",
  drops: [],
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  // The answer is the vendor's, and says who gave it (inference-api.md section 15.3).
  overlooks: (answer) => !answer.includes(providerKey),
  decodeError: readErrorBody,
  answerField: "pages",
  readUsage,
  upstream: { path: "/ocr" },
};
