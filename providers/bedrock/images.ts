import type { OperationInput } from "../../core/provider-kit/index.ts";
import { invokePath } from "./claude.ts";

const path = ({ model }: { readonly model: string }): string => invokePath({ model, stream: false });
const isOld = (model: string): boolean => model.includes("stable-diffusion-xl");

/** Pixels. */
const atLeast = [320, Number.POSITIVE_INFINITY] as const;

/** Images are made by models of two makers, each in its own format (providers.md section 9.8). */
export const imagesOf: OperationInput[] = [
  { format: "bedrock-stability-v1-images", path, serves: isOld, clamps: { height: atLeast, width: atLeast } },
  { format: "bedrock-stability-v2-images", path, serves: (model) => model.includes("stability.") && !isOld(model) },
  {
    format: "bedrock-amazon-images",
    path,
    serves: (model) => model.includes("amazon.titan-image") || model.includes("amazon.nova-canvas"),
  },
];
