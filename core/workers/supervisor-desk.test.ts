import { expect, it, vi } from "vitest";
import { supervisedBy } from "../../test/support/counters.ts";
import { deskOver } from "./supervisor-desk.ts";

it("asks what comes up in one turn in one message, and hears each answer", async () => {
  const { worker, desk } = supervisedBy({ double: (number) => Number(number) * 2 })();
  const send = vi.spyOn(worker, "send");
  const answers = await Promise.all([1, 2, 3].map((number) => desk.ask("double", number)));
  expect(answers).toEqual([2, 4, 6]);
  expect(send).toHaveBeenCalledTimes(1);
});

it("tells what the supervisor refuses, and what it knows nothing of", async () => {
  const refuse = () => {
    throw new Error("not today");
  };
  const { desk } = supervisedBy({ refuse })();
  await expect(desk.ask("refuse", null)).rejects.toThrow("not today");
  await expect(desk.ask("toString", null)).rejects.toThrow('The supervisor knows nothing of "toString".');
});

it("rejects what is under way when the supervisor goes, and what comes after", async () => {
  const { worker, desk } = supervisedBy({ echo: (question) => question })();
  expect(desk.open).toBe(true);
  const answers = [desk.ask("echo", 1), desk.ask("echo", 2)];
  worker.end();
  for (const answer of answers) await expect(answer).rejects.toThrow("The supervisor is gone.");
  expect(desk.open).toBe(false);
  await expect(desk.ask("echo", 3)).rejects.toThrow("The supervisor is gone.");
});

it("has nobody to ask in a process that is no worker", async () => {
  const desk = deskOver(undefined);
  expect(desk.open).toBe(false);
  await expect(desk.ask("echo", 1)).rejects.toThrow("The supervisor is gone.");
});
