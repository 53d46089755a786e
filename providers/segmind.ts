import { defineProvider, keyHeader } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "segmind",
  summary: "Segmind: image models of many makers.",
  baseUrl: "https://api.segmind.com/v1",
  authenticate: keyHeader("x-api-key"),
  operations: {
    image: {
      format: "segmind-images",
      // What the vendor's own pages set where a request does not (providers.md section 16).
      defaults: { style: "base", scheduler: "UniPC", num_inference_steps: 20, guidance_scale: 7.5 },
    },
  },
});
