// Profiles in the format of pprof: the message Profile of profile.proto, in protobuf's encoding.

class ProtobufWriter {
  constructor() {
    this.bytes = [];
  }

  // 64 bits; negative integers in two's complement.
  varint(value) {
    if (typeof value === 'number' && value >= 0 && value < 2 ** 31) {
      for (; value > 127; value >>>= 7) this.bytes.push((value & 127) | 128);
      this.bytes.push(value);
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) this.bytes.push(Number(rest & 127n) | 128);
    this.bytes.push(Number(rest));
  }

  integer(field, value) {
    if (value === 0) return;
    this.varint(field << 3);
    this.varint(value);
  }

  data(field, bytes) {
    this.varint((field << 3) | 2);
    this.varint(bytes.length);
    for (const byte of bytes) this.bytes.push(byte);
  }

  message(field, write) {
    const inner = new ProtobufWriter();
    write(inner);
    this.data(field, inner.bytes);
  }

  packed(field, values) {
    this.message(field, (inner) => values.forEach((value) => inner.varint(value)));
  }
}

class TextNumbers {
  constructor() {
    this.numbers = new Map([['', 0]]);
  }
  of(text) {
    if (!this.numbers.has(text)) this.numbers.set(text, this.numbers.size);
    return this.numbers.get(text);
  }
}

// A function, and a location without an address, for each frame. Their ids start at 1.
function writeFrames(profile, frames, texts) {
  for (const [frame, id] of frames) {
    const name = frameNames[frame];
    const object = name.includes('`') ? name.slice(0, name.indexOf('`')) : '';
    profile.message(4, (location) => {
      location.integer(1, id);
      location.message(4, (line) => line.integer(1, id));
    });
    profile.message(5, (code) => {
      code.integer(1, id);
      code.integer(2, texts.of(functionName(frame)));
      code.integer(3, texts.of(name));
      code.integer(4, texts.of(object));
    });
  }
}

// samples: [path of frames, outermost first, exact weight] pairs.
function pprofBytes(samples, unit, run) {
  const profile = new ProtobufWriter();
  const texts = new TextNumbers();
  const frames = new Map();
  const id = (frame) => {
    if (!frames.has(frame)) frames.set(frame, frames.size + 1);
    return frames.get(frame);
  };
  profile.message(1, (type) => {
    type.integer(1, texts.of(unit === 'count' ? 'samples' : unit));
    type.integer(2, texts.of('count'));
  });
  for (const [path, weight] of samples) {
    const ids = path.map(id).reverse();
    profile.message(2, (sample) => {
      sample.packed(1, ids);
      sample.packed(2, [weight]);
    });
  }
  writeFrames(profile, frames, texts);
  for (const text of texts.numbers.keys()) profile.data(6, new TextEncoder().encode(text));
  profile.integer(9, exact(run.start));
  profile.integer(10, exact(run.length));
  return new Uint8Array(profile.bytes);
}
