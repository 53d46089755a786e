import { expect, it } from "vitest";
import { gatewayErrorBody, upstreamErrorBody } from "./error-body.ts";
import { GatewayError } from "./gateway-error.ts";

it("says for SDKs that show one text only what is wrong, and then each mistake", () => {
  const body = gatewayErrorBody(
    new GatewayError("params_dropped", "acme cannot take seed.", { errors: ["seed: not known"] }),
  );
  expect(body).toMatchObject({
    message: "acme cannot take seed.",
    errors: ["seed: not known"],
    error: { message: "acme cannot take seed: seed: not known" },
  });
});

it("keeps what Azure says beside its code (providers.md section 10.4)", () => {
  const innererror = { code: "ResponsibleAIPolicyViolation", content_filter_result: { hate: { filtered: true } } };
  expect(upstreamErrorBody("azure-openai", {}, { message: "no", code: "content_filter", innererror })).toEqual({
    error: { message: "azure-openai error: no", type: null, param: null, code: "content_filter", innererror },
    provider: "azure-openai",
  });
});
