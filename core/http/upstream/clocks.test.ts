import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RunningClocks } from "./clocks.ts";

const limits = { connect: 10, headers: 100, firstToken: 150, idle: 50, total: 1_000 };

describe("the five clocks", () => {
  const fired: string[] = [];
  let clocks: RunningClocks;
  beforeEach(() => {
    vi.useFakeTimers();
    fired.length = 0;
    clocks = new RunningClocks(limits, true, (clock) => fired.push(clock));
    clocks.started();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("fires connect when no connection comes", () => {
    vi.advanceTimersByTime(10);
    expect(fired).toEqual(["connect"]);
  });

  it("fires headers when the connection stays mute", () => {
    clocks.connected();
    vi.advanceTimersByTime(100);
    expect(fired).toEqual(["headers"]);
  });

  it("fires first token, counted from the start, when only the headers came", () => {
    clocks.connected();
    vi.advanceTimersByTime(90);
    clocks.headers();
    clocks.release();
    vi.advanceTimersByTime(40);
    clocks.piece();
    vi.advanceTimersByTime(20);
    expect(fired).toEqual(["firstToken"]);
  });

  it("fires idle between two pieces, and not while pieces come", () => {
    clocks.connected();
    clocks.headers();
    clocks.release();
    clocks.firstToken();
    for (let piece = 0; piece < 10; piece++) {
      vi.advanceTimersByTime(49);
      clocks.piece();
    }
    expect(fired).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(fired).toEqual(["idle"]);
  });

  it("does not blame the upstream for a client that does not read", () => {
    clocks.connected();
    clocks.headers();
    clocks.firstToken();
    clocks.release();
    clocks.hold();
    vi.advanceTimersByTime(500);
    expect(fired).toEqual([]);
    clocks.release();
    vi.advanceTimersByTime(50);
    expect(fired).toEqual(["idle"]);
  });

  it("fires total for a whole answer, however lively it is", () => {
    const lively: string[] = [];
    const whole = new RunningClocks({ total: 100, idle: 50 }, false, (clock) => lively.push(clock));
    whole.started();
    whole.connected();
    whole.headers();
    whole.release();
    for (let piece = 0; piece < 5; piece++) {
      vi.advanceTimersByTime(20);
      whole.piece();
    }
    expect(lively).toEqual(["total"]);
  });

  it("lets a stream run past total once its first frame is there", () => {
    clocks.connected();
    clocks.headers();
    clocks.release();
    clocks.firstToken();
    for (let at = 0; at < 2_000; at += 40) {
      vi.advanceTimersByTime(40);
      clocks.piece();
    }
    expect(fired).toEqual([]);
  });

  it("fires none that is set for longer than a timer runs", () => {
    const years = 1e12;
    const limits = { connect: years, headers: years, firstToken: years, idle: years, total: years };
    const patient = new RunningClocks(limits, true, (clock) => fired.push(clock));
    clocks.stop();
    patient.started();
    vi.advanceTimersByTime(1_000);
    patient.connected();
    patient.release();
    vi.advanceTimersByTime(1_000);
    expect(fired).toEqual([]);
    patient.stop();
  });

  it("sets one timer for all of them, and each fires once", () => {
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(fired).toEqual(["connect", "firstToken", "total"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("fires nothing after stop", () => {
    clocks.release();
    clocks.stop();
    vi.advanceTimersByTime(10_000);
    expect(fired).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
