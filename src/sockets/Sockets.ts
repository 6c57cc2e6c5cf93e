// Lists the accepted connections of this process on Linux, because the runtime reports a connection only once it has a
// whole request. Calls getsockname(2), getpeername(2), getsockopt(2) with TCP_INFO, and shutdown(2).
import { dlopen, FFIType, ptr } from "bun:ffi"
import { readdirSync, readFileSync } from "node:fs"
import type { Traffic } from "./Crowding.ts"

export interface Accepted {
  readonly descriptor: number
  /** The other end's address, and its port. */
  readonly address: string
  readonly port: number
}

export interface Sockets {
  /** How many descriptors the process may have. */
  readonly descriptors: number
  /** The connections of these ports of ours. */
  readonly accepted: (ports: ReadonlySet<number>) => ReadonlyArray<Accepted>
  readonly traffic: (descriptor: number) => Traffic
  /** Ends a connection. The runtime then finds it closed and frees its memory. */
  readonly end: (descriptor: number) => void
}

const LIBRARIES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"]
const { i32, ptr: pointer } = FFIType
const CALLS = {
  getsockname: { args: [i32, pointer, pointer], returns: i32 },
  getpeername: { args: [i32, pointer, pointer], returns: i32 },
  getsockopt: { args: [i32, i32, i32, pointer, pointer], returns: i32 },
  shutdown: { args: [i32, i32], returns: i32 }
} as const

const AF_INET = 2
const AF_INET6 = 10
const IPPROTO_TCP = 6
const TCP_INFO = 11
const SHUT_RDWR = 2
/** The size of a sockaddr_in6, the size read of a tcp_info, and the offsets of its fields. */
const NAME_BYTES = 28
const INFO_BYTES = 256
const LAST_DATA_SENT = 44
const LAST_DATA_RECV = 52
const DATA_SEGS_IN = 152
const DATA_SEGS_OUT = 156

const FOLDER = "/proc/self/fd"

/** Undefined on any system but Linux. */
export const open = (): Sockets | undefined => {
  if (process.platform !== "linux") return undefined
  const libc = libraryOf()
  const descriptors = limitOf()
  if (libc === undefined || descriptors === undefined) return undefined
  const name = new DataView(new ArrayBuffer(NAME_BYTES))
  const info = new DataView(new ArrayBuffer(INFO_BYTES))
  const length = new Int32Array(new ArrayBuffer(4))
  const [namePlace, infoPlace, lengthPlace] = [ptr(name), ptr(info), ptr(length)]

  const isNamed = (call: "getsockname" | "getpeername", descriptor: number): boolean => {
    length[0] = NAME_BYTES
    return libc[call](descriptor, namePlace, lengthPlace) === 0 && isInternet(name)
  }
  const accepted: Sockets["accepted"] = (ports) => {
    const found: Array<Accepted> = []
    for (const descriptor of openDescriptors(descriptors)) {
      if (!isNamed("getsockname", descriptor) || !ports.has(portIn(name))) continue
      // A socket that listens has no other end.
      if (!isNamed("getpeername", descriptor)) continue
      found.push({ descriptor, address: addressIn(name), port: portIn(name) })
    }
    return found
  }
  const traffic = (descriptor: number): Traffic => {
    length[0] = INFO_BYTES
    if (libc.getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, infoPlace, lengthPlace) !== 0)
      return { hasRequest: true, isAnswered: true, quietMs: 0 }
    const quietMs = Math.min(info.getUint32(LAST_DATA_SENT, true), info.getUint32(LAST_DATA_RECV, true))
    return {
      hasRequest: info.getUint32(DATA_SEGS_IN, true) > 0,
      isAnswered: info.getUint32(DATA_SEGS_OUT, true) > 0,
      quietMs
    }
  }
  return { descriptors, accepted, traffic, end: (descriptor) => libc.shutdown(descriptor, SHUT_RDWR) }
}

const libraryOf = () => {
  for (const library of LIBRARIES) {
    try {
      return dlopen(library, CALLS).symbols
    } catch {
      // The system has another one.
    }
  }
  return undefined
}

/** As proc(5) has it: the soft limit, which the runtime has raised to the hard one. */
const limitOf = (): number | undefined => {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

/** Without a free descriptor the folder cannot be read: then all descriptors are tried, up to a bound. */
const MOST_TRIED = 65_536
const openDescriptors = (limit: number): Iterable<number> => {
  try {
    return readdirSync(FOLDER).map(Number)
  } catch {
    return Array(Math.min(limit, MOST_TRIED)).keys()
  }
}

/** Addresses and ports are big-endian, the family is in the byte order of the machine. */
const familyIn = (name: DataView): number => name.getUint16(0, true)
const isInternet = (name: DataView): boolean => familyIn(name) === AF_INET || familyIn(name) === AF_INET6
const portIn = (name: DataView): number => name.getUint16(2)
const addressIn = (name: DataView): string => {
  const four = (at: number) => [0, 1, 2, 3].map((byte) => name.getUint8(at + byte)).join(".")
  if (familyIn(name) === AF_INET) return four(4)
  const groups = Array.from({ length: 8 }, (_, group) => name.getUint16(8 + 2 * group))
  const isMapped = groups.slice(0, 5).every((it) => it === 0) && groups[5] === 0xffff
  return isMapped ? four(20) : groups.map((it) => it.toString(16)).join(":")
}
