import type { Socket } from "node:net";

/**
 * A socket that undici may be given: one whose end comes after all that was sent on it, and whose reset is one.
 *
 * Undici stops reading where its caller is slow, and must not hear of an end meanwhile: with the last piece of an answer
 * read, the end behind it comes at once, and where the answer is one that ends with its connection an assertion fails that
 * nobody can catch, else a whole answer is told as broken. A reset while it is paused is the same; while it is not, the answer
 * counts as whole, where RFC 9112, section 8, has it as incomplete.
 */
export function orderly(socket: Socket): Socket {
  const { read, push } = socket;
  let isOver = false;
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null) isOver = true;
    return push.call(socket, chunk, encoding);
  };
  socket.read = (size?: number): unknown => {
    // Node asks for nothing when the end comes, which tells of it at once. Who waits for more is told that there is something.
    if (size !== undefined) return isOver ? null : read.call(socket, size);
    // Who asks for as many bytes as there are is told of the end when asking for more, which undici does when it goes on.
    // Asking for more than the high water mark would raise that.
    return read.call(socket, Math.min(socket.readableLength, socket.readableHighWaterMark) || undefined);
  };
  return socket.prependListener("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "ECONNRESET") return;
    // Undici takes resets for ends by their code. Whoever waits for the answer is told behind the close.
    error.code = "UND_ERR_SOCKET";
    socket.prependOnceListener("close", () => {
      error.code = "ECONNRESET";
    });
  });
}
