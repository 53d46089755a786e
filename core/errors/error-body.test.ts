import { expect, it } from "vitest";
import { gatewayErrorBody } from "./error-body.ts";
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
