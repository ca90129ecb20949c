import { afterEach, expect, it } from "vitest";
import { openScriptedEndpoint, type Script, type ScriptedEndpoint } from "./scripted-endpoint.js";

let server: ScriptedEndpoint | undefined;
afterEach(() => server?.close());

async function start(script: Script) {
  server = await openScriptedEndpoint(script);
  const opened = server;
  const post = (body: unknown, path = "/chat/completions") =>
    fetch(opened.baseUrl + path, { method: "POST", body: JSON.stringify(body) });
  return { server: opened, post };
}

it("gives its replies in order of arrival and then refuses with a status that is not retried", async () => {
  const { post } = await start([{ text: "one" }, { status: 503, body: { error: "busy" } }]);
  expect(await (await post({ model: "m" })).json()).toMatchObject({
    model: "m",
    choices: [{ message: { role: "assistant", content: "one" }, finish_reason: "stop" }],
  });
  expect((await post({})).status).toBe(503);
  const past = await post({});
  expect(past.status).toBe(400);
  expect(await past.text()).toContain("2 replies; request 3");
});

it("answers from what was asked and keeps the requests", async () => {
  const { server, post } = await start(({ body }) => ({ text: `model ${String(body.model)}` }));
  expect(await (await post({ model: "x" })).text()).toContain("model x");
  expect(server.requests[0]).toMatchObject({ index: 0, path: "/v1/chat/completions", text: '{"model":"x"}' });
});

it("sends no usage that the script does not give", async () => {
  const { post } = await start([{ text: "a" }]);
  expect(await (await post({})).json()).not.toHaveProperty("usage");
});

it("counts how many requests it had at once", async () => {
  const { server, post } = await start(async () => ({ text: "a", delayMs: 20 }));
  await Promise.all([post({}), post({}), post({})]);
  await post({});
  expect(server.maxInFlight()).toBe(3);
});

it("refuses other paths", async () => {
  const { post } = await start([{ text: "a" }]);
  expect((await post({}, "/completions")).status).toBe(404);
});

it("can cut the connection and can answer what is not JSON", async () => {
  const { post } = await start([{ hangUp: true }, { rawBody: "{" }]);
  await expect(post({})).rejects.toThrow();
  expect(await (await post({})).text()).toBe("{");
});

it("closes while a reply is held back", async () => {
  const { server, post } = await start([{ text: "late", delayMs: 60_000 }]);
  const reply = post({});
  while (server.inFlight() === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  await Promise.all([server.close(), expect(reply).rejects.toThrow()]);
});
