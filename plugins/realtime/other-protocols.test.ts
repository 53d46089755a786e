import { connect as connectTcp } from "node:net";
import { describe, expect, it } from "vitest";
import { raw, somebody, startRealtime, startVendor } from "./testing.ts";

describe("other requests that offer another protocol", () => {
  it("are answered as if they did not, body and all, and the connection goes on", async () => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor, {}, { providers: { simulator: {} } });
    const body = JSON.stringify({ model: "simulator/m", messages: [{ role: "user", content: "Hello" }] });
    const socket = connectTcp(gateway.port, "127.0.0.1");
    let text = "";
    const answers = (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => text.split("HTTP/1.1 200").length > count && text.includes('"chat.completion"') && resolve();
        socket.on("data", look);
        look();
      });
    socket.on("data", (piece) => {
      text += piece;
    });
    const head = (more: string) =>
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n${more}content-type: application/json\r\n` +
      `x-test-principal: {"id":"K1"}\r\ncontent-length: ${body.length}\r\n\r\n`;
    socket.write(
      `${head("connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n")}${body.slice(0, 20)}`,
    );
    socket.write(body.slice(20));
    await answers(1);
    socket.write(head("") + body);
    await answers(2);
    socket.destroy();
  });

  it("are answered where they want a websocket of an endpoint that has none", async () => {
    const gateway = await startRealtime(await startVendor());
    const headers = { ...somebody, upgrade: "websocket", connection: "upgrade" };
    expect(await raw(gateway.port, "GET", "/v1/health", headers)).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw(gateway.port, "GET", "/v1/nowhere", headers)).toMatch(/^HTTP\/1.1 404 /);
  });
});
