import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { folderOfFile, startManagement, supportPlugin } from "../support/management.ts";
import { takeDown } from "../support/take-down.ts";
import { json, type Received, startUpstream } from "../support/upstream.ts";
import { watched } from "../support/watched-records.ts";

afterEach(() => void vi.useRealTimers());

const secret = "the-secret-of-a-hook-of-tests";
const bodyOf = ({ body }: Received) => JSON.parse(body.toString());
const signed = ({ body, headers }: Received) =>
  headers["x-gateway-signature"] === createHmac("sha256", secret).update(body).digest("hex");

describe("an invite", () => {
  it("leads to a webhook call, which knows the link only where it is to; the log and the trail never do", async () => {
    const hook = await startUpstream((_, response) => json(response, 200, {}));
    const management = await startManagement({
      "audit-log": {},
      notifications: {
        webhooks: [
          { url: `${hook.url}/plain`, secret },
          { url: `${hook.url}/mail`, secret, events: ["invite.created"], confidential: true },
          { url: `${hook.url}/others`, secret, events: ["limit.exhausted"] },
          { url: "${NOTIFY_WEBHOOK_URL:-}", secret: "${NOTIFY_WEBHOOK_SECRET:-}" },
        ],
      },
    });
    const { admin, organisation, gateway } = management;
    const invite = { email: "iris@example.org", role: "member", workspaces: [] };
    const { id, invite_link } = (await admin("POST", "/admin/users/invites", invite)).body;
    const token: string = invite_link.split("/invites/")[1];
    await expect.poll(() => hook.received.length).toBe(2);
    expect(hook.received.every(signed)).toBe(true);
    const [plain, mail] = ["/plain", "/mail"].map((path) => hook.received.find(({ url }) => url === path));
    if (!plain || !mail) throw new Error("a webhook was not called");
    const payload = {
      event: "invite.created",
      id: expect.any(String),
      organisation_id: organisation,
      workspace_id: null,
      subject: { kind: "invite", id, slug: null },
      data: { email: "iris@example.org" },
      occurred_at: expect.any(String),
      sent_at: expect.any(String),
    };
    expect(bodyOf(plain)).toEqual(payload);
    expect(bodyOf(mail)).toEqual({
      ...payload,
      id: bodyOf(plain).id,
      data: { ...payload.data, invite_link },
      recipients: ["iris@example.org"],
    });
    const logged = gateway.log.lines.find(({ message }) => message === "notification");
    expect(logged?.fields).toMatchObject({ event: "invite.created", id: bodyOf(plain).id });

    await admin("POST", `/admin/users/invites/${id}/accept`, { token });
    const listed = () => admin("GET", `/audit-logs?${span()}&resource_type=invites`);
    await expect.poll(async () => (await listed()).body.total).toBe(2);
    for (const text of [JSON.stringify((await listed()).body), JSON.stringify(gateway.log.lines), `${plain.body}`])
      expect(text).not.toContain(token);
  });
});

describe("a store that does not answer", () => {
  it("has the calls that it refused in its trail once it is back, and the chain is whole", async () => {
    const folder = folderOfFile();
    const plugins = { "records-file": undefined, watched: supportPlugin(folder, "watched-records"), "audit-log": {} };
    const { admin, gateway } = await startManagement(plugins, { folder });
    takeDown();
    const refused = await admin("POST", "/admin/workspaces", { name: "x" });
    expect(refused.status).toBe(503);
    await expect
      .poll(() => gateway.log.lines.map(({ message }) => message))
      .toContain("audit entries wait for the store");
    watched.down = false;
    const listed = () => admin("GET", `/audit-logs?${span()}&response_status_code=503`);
    await expect.poll(async () => (await listed()).body.total, { timeout: 10_000 }).toBe(1);
    expect((await listed()).body.records[0]).toMatchObject({
      request_id: refused.headers.get("x-gateway-request-id"),
      sequence: 2,
    });
  });
});

describe("a rotation by the calendar", () => {
  it("leads to an entry of the trail and to a webhook call, neither with a secret", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const hook = await startUpstream((_, response) => json(response, 200, {}));
    const { admin, as, workspace, gateway } = await startManagement({
      encryption: { key: "5e".repeat(32) },
      "api-keys": { sweepInterval: 1000 },
      "audit-log": {},
      notifications: { webhooks: [{ url: hook.url, secret, events: ["api_key.rotated"] }] },
    });
    const issued = await admin("POST", "/api-keys/workspace/service", {
      name: "Nightly",
      workspace_id: workspace.slug,
      scopes: ["completions.write"],
      rotation_policy: { rotation_period: "weekly" },
    });
    const { id, key } = issued.body;
    vi.setSystemTime(Date.now() + 8 * day);
    const listed = () => admin("GET", `/audit-logs?${span()}&resource_type=api_keys&action=rotate`);
    await expect.poll(async () => (await listed()).body.total, { timeout: 10_000 }).toBe(1);
    const [entry] = (await listed()).body.records;
    expect(entry).toMatchObject({
      method: "",
      user_type: "api_key",
      client_ip: "",
      workspace_id: workspace.slug,
      response_status_code: null,
      subject: id,
    });
    expect(JSON.parse(entry.details)).toEqual({
      api_key_id: id,
      rotation_mode: "auto",
      old_key_masked: `${key.slice(0, 2)}*******${key.slice(-2)}`,
      transition_expires_at: expect.any(String),
    });
    await expect.poll(() => hook.received.length).toBe(1);
    const [told] = hook.received;
    if (!told) throw new Error("the webhook was not called");
    expect(signed(told)).toBe(true);
    expect(bodyOf(told)).toMatchObject({
      event: "api_key.rotated",
      workspace_id: workspace.id,
      subject: { kind: "api_key", id, slug: null },
    });
    const unread = (await admin("POST", `/api-keys/${id}/rotate`)).body.key;
    expect(unread).not.toBe(key);
    const everything = JSON.stringify([entry, gateway.log.lines, told.body.toString()]);
    for (const value of [key, unread, secret]) expect(everything).not.toContain(value);
    expect((await as({ organisation: "another" })("GET", `/audit-logs?${span()}`)).body.total).toBe(0);
  });
});

const day = 24 * 60 * 60_000;
const span = () =>
  `start_time=${new Date(Date.now() - day).toISOString()}&end_time=${new Date(Date.now() + day).toISOString()}`;
