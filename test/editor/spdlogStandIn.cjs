// Replaces VS Code's native logger, which needs a compiler. Without a logger, the editor wouldn't write any logs.
const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

class Logger {
  #file;
  #level = 2;
  #isRaw = false;

  constructor(_type, _name, file) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    this.#file = file;
  }

  trace(message) {
    this.#write(0, message);
  }

  debug(message) {
    this.#write(1, message);
  }

  info(message) {
    this.#write(2, message);
  }

  warn(message) {
    this.#write(3, message);
  }

  error(message) {
    this.#write(4, message);
  }

  critical(message) {
    this.#write(5, message);
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  setPattern() {}

  /** After this call, messages already contain a time and a line break, so they are written unchanged. */
  clearFormatters() {
    this.#isRaw = true;
  }

  flush() {}

  drop() {}

  #write(level, message) {
    if (level < this.#level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    fs.appendFileSync(this.#file, this.#isRaw ? message : `${time} [${LEVELS[level]}] ${message}\n`);
  }
}

async function createLogger(name, file) {
  return new Logger('rotating', name, file);
}

exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
