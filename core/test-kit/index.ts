/** What tests of plugins are made with, whatever runs them: `sluice/testing`. */

export type { Exchange } from "../model/exchange.ts";
export { startGateway, type TestConfig, type TestGateway, type TestGatewayInput, type TestRequest } from "./gateway.ts";
export type { KeptLog, LogLine } from "./keeping-logger.ts";
export type { GivenModules } from "./loader-with.ts";
export type { TestUpstream, UpstreamAnswer, UpstreamAnswers, UpstreamCall } from "./upstream.ts";
