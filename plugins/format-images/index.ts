import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { vendorFormats } from "./format.ts";

export default definePlugin({
  name: "format-images",
  summary: "Asks vendors with an image API of their own, for clients of the OpenAI images API.",
  options: z.strictObject({}),
  setup({ format }) {
    for (const one of vendorFormats) format(one);
  },
});
