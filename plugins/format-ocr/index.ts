import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { mistralOcr } from "./format.ts";

export default definePlugin({
  name: "format-ocr",
  summary: "Reads documents: the OCR API of Mistral, to clients at /v1/ocr and to vendors.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    const { name, operation } = mistralOcr;
    format(mistralOcr);
    endpoint({ type: "ocr", method: "POST", path: "/v1/ocr", operation, format: name, checked: true });
  },
});
