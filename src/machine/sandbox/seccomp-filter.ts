/**
 * System calls that no command in a sandbox needs and that give an attacker more of the kernel to attack: a filter as
 * the kernel takes it (classic BPF), for `bwrap --seccomp`. The filter is a second wall behind the namespaces, so a
 * call that ordinary programs make is never in the table. A refused call fails with an error and does not end the
 * program.
 */

/** Architectures with a table; on others no filter is applied. */
type FilteredArch = 'x64' | 'arm64';

/** Number of a call on each; undefined: the architecture does not have it. */
interface CallNumbers {
	readonly x64: number | undefined;
	readonly arm64: number | undefined;
}

const callNumbers = (x64: number, arm64: number | undefined = x64): CallNumbers => ({ x64, arm64 });

/** Refused whatever their arguments are. */
export const REFUSED_CALLS = {
	// Other processes: their memory, descriptors and control
	ptrace: callNumbers(101, 117),
	process_vm_readv: callNumbers(310, 270),
	process_vm_writev: callNumbers(311, 271),
	process_madvise: callNumbers(440),
	pidfd_getfd: callNumbers(438),
	kcmp: callNumbers(312, 272),
	// Keyrings, which namespaces do not keep apart
	add_key: callNumbers(248, 217),
	request_key: callNumbers(249, 218),
	keyctl: callNumbers(250, 219),
	// Large parts of the kernel that no build needs
	bpf: callNumbers(321, 280),
	perf_event_open: callNumbers(298, 241),
	userfaultfd: callNumbers(323, 282),
	io_uring_setup: callNumbers(425),
	io_uring_enter: callNumbers(426),
	io_uring_register: callNumbers(427),
	fanotify_init: callNumbers(300, 262),
	// Mounts and other namespaces
	mount: callNumbers(165, 40),
	umount2: callNumbers(166, 39),
	pivot_root: callNumbers(155, 41),
	open_tree: callNumbers(428),
	move_mount: callNumbers(429),
	fsopen: callNumbers(430),
	fsconfig: callNumbers(431),
	fsmount: callNumbers(432),
	fspick: callNumbers(433),
	mount_setattr: callNumbers(442),
	setns: callNumbers(308, 268),
	// Files by their number on the disk, past every mount
	open_by_handle_at: callNumbers(304, 265),
	// The machine itself
	kexec_load: callNumbers(246, 104),
	kexec_file_load: callNumbers(320, 294),
	create_module: callNumbers(174, undefined),
	init_module: callNumbers(175, 105),
	finit_module: callNumbers(313, 273),
	delete_module: callNumbers(176, 106),
	swapon: callNumbers(167, 224),
	swapoff: callNumbers(168, 225),
	quotactl: callNumbers(179, 60),
	quotactl_fd: callNumbers(443),
	acct: callNumbers(163, 89),
	reboot: callNumbers(169, 142),
	syslog: callNumbers(103, 116),
	vhangup: callNumbers(153, 58),
	sethostname: callNumbers(170, 161),
	setdomainname: callNumbers(171, 162),
	settimeofday: callNumbers(164, 170),
	clock_settime: callNumbers(227, 112),
	adjtimex: callNumbers(159, 171),
	clock_adjtime: callNumbers(305, 266),
	iopl: callNumbers(172, undefined),
	ioperm: callNumbers(173, undefined),
	uselib: callNumbers(134, undefined),
	nfsservctl: callNumbers(180, 42),
} as const satisfies Record<string, CallNumbers>;

const SOCKET = callNumbers(41, 198);
const IOCTL = callNumbers(16, 29);
const CLONE = callNumbers(56, 220);
const CLONE3 = callNumbers(435);
const UNSHARE = callNumbers(272, 97);

/**
 * Number of `openat2`, whose flags and mode lie in memory, as those of `clone3` do; a program that is refused it uses
 * `openat`.
 */
const OPENAT2 = callNumbers(437);

/** Calls that give a file its mode, and which of their arguments it is. */
const MODE_CALLS: readonly (readonly [call: CallNumbers, mode: number])[] = [
	[{ x64: 90, arm64: undefined }, 1],
	[callNumbers(91, 52), 1],
	[callNumbers(268, 53), 2],
	[callNumbers(452), 2],
	[{ x64: 85, arm64: undefined }, 1],
	[{ x64: 133, arm64: undefined }, 1],
	[callNumbers(259, 33), 2],
];
/** `open` and `openat` do so when they make the file; which argument says that, and which is the mode. */
const OPEN_CALLS: readonly (readonly [call: CallNumbers, flags: number, mode: number])[] = [
	[{ x64: 2, arm64: undefined }, 1, 2],
	[callNumbers(257, 56), 2, 3],
];
/** O_CREAT and the bit of O_TMPFILE that is its own. */
const MAKES_FILE = 0o20000100;
/** S_ISUID: whoever runs the file becomes its owner, outside of the sandbox too. */
const RUNS_AS_OWNER = 0o4000;

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64. */
const AUDIT_ARCH = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
/** From here on x64 has the calls of another ABI, under other numbers. */
const X32_CALLS = 0x40000000;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = 0x7e020000;
/** CLONE_NEWTIME: in `clone` the same bit is part of a signal's number. */
const NEW_TIME_NAMESPACE = 0x80;
/** Would type into the terminal of the host. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
/** With its protocol 0 only, the routes: resolvers and Node ask it for the addresses of the machine. */
const AF_NETLINK = 16;

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** `struct seccomp_data`: where the number, the architecture and the low half of each argument lie. */
const NUMBER_AT = 0;
const ARCH_AT = 4;
const argumentAt = (index: number) => 16 + 8 * index;

/** `code`, jumps when true and when false, and the constant. */
type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

const loadWord = (offset: number): Instruction => [0x20, 0, 0, offset];
/** Skips as many instructions as said. */
const ifEqual = (value: number, whenTrue: number, whenFalse: number): Instruction => [0x15, whenTrue, whenFalse, value];
const ifAtLeast = (value: number, whenTrue: number, whenFalse: number): Instruction => [
	0x35,
	whenTrue,
	whenFalse,
	value,
];
const ifAnyBit = (value: number, whenTrue: number, whenFalse: number): Instruction => [
	0x45,
	whenTrue,
	whenFalse,
	value,
];
const returnAction = (action: number): Instruction => [0x06, 0, 0, action];

const ALLOW = returnAction(0x7fff0000);
const KILL = returnAction(0x80000000);
const failWith = (errno: number) => returnAction(0x00050000 | errno);

/** The bytes for `bwrap --seccomp`; undefined on an architecture that has no table here. */
export function seccompFilter(arch: string): Buffer | undefined {
	return arch === 'x64' || arch === 'arm64' ? encodeInstructions(filterFor(arch)) : undefined;
}

function filterFor(arch: FilteredArch): Instruction[] {
	const matchCall = ({ [arch]: number }: CallNumbers, body: readonly Instruction[]): Instruction[] =>
		number === undefined ? [] : [ifEqual(number, 0, body.length), ...body];
	return [
		loadWord(ARCH_AT),
		ifEqual(AUDIT_ARCH[arch], 1, 0),
		// The numbers below would mean other calls.
		KILL,
		loadWord(NUMBER_AT),
		...(arch === 'x64' ? [ifAtLeast(X32_CALLS, 0, 1), KILL] : []),
		...matchCall(SOCKET, socketRule),
		...matchCall(IOCTL, [
			loadWord(argumentAt(1)),
			ifEqual(TIOCSTI, 1, 0),
			ifEqual(TIOCLINUX, 0, 1),
			failWith(EPERM),
			ALLOW,
		]),
		...matchCall(CLONE, bitsRule(0, NEW_NAMESPACES)),
		// The flags of `clone3` lie in memory, where no filter can look; a C library that gets this answer uses
		// `clone`.
		...matchCall(CLONE3, [failWith(ENOSYS)]),
		...matchCall(OPENAT2, [failWith(ENOSYS)]),
		...MODE_CALLS.flatMap(([call, mode]) => matchCall(call, bitsRule(mode, RUNS_AS_OWNER))),
		...OPEN_CALLS.flatMap(([call, flags, mode]) => matchCall(call, openRule(flags, mode))),
		...matchCall(UNSHARE, bitsRule(0, NEW_NAMESPACES | NEW_TIME_NAMESPACE)),
		...Object.values(REFUSED_CALLS).flatMap((call) => matchCall(call, [failWith(EPERM)])),
		ALLOW,
	];
}

const socketRule: readonly Instruction[] = [
	loadWord(argumentAt(0)),
	ifEqual(AF_UNIX, 5, 0),
	ifEqual(AF_INET, 4, 0),
	ifEqual(AF_INET6, 3, 0),
	ifEqual(AF_NETLINK, 0, 3),
	loadWord(argumentAt(2)),
	ifEqual(0, 0, 1),
	ALLOW,
	failWith(EAFNOSUPPORT),
];

/** Refuses a call with any of these bits in one of its arguments. */
function bitsRule(argument: number, bits: number): Instruction[] {
	return [loadWord(argumentAt(argument)), ifAnyBit(bits, 0, 1), failWith(EPERM), ALLOW];
}

/** An `open` that makes nothing has no mode: what stands in its place means nothing. */
function openRule(flags: number, mode: number): Instruction[] {
	return [loadWord(argumentAt(flags)), ifAnyBit(MAKES_FILE, 0, 3), ...bitsRule(mode, RUNS_AS_OWNER)];
}

/** `struct sock_filter`, in the byte order of both architectures. */
function encodeInstructions(instructions: readonly Instruction[]): Buffer {
	const bytes = Buffer.alloc(8 * instructions.length);
	for (const [index, [code, whenTrue, whenFalse, value]] of instructions.entries()) {
		bytes.writeUInt16LE(code, 8 * index);
		bytes.writeUInt8(whenTrue, 8 * index + 2);
		bytes.writeUInt8(whenFalse, 8 * index + 3);
		bytes.writeUInt32LE(value, 8 * index + 4);
	}
	return bytes;
}
