import assert from 'node:assert/strict';
import { REFUSED_CALLS, seccompFilter } from './seccomp-filter.ts';

const ALLOWED = 'allowed';
const archs = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
type Arch = keyof typeof archs;

/** Returns the kernel's answer to a call, by carrying out the filter's instructions as the kernel does. */
function answerTo(filter: Buffer, arch: number, call: number, args: readonly number[] = []): string {
	const data = Buffer.alloc(64);
	data.writeUInt32LE(call, 0);
	data.writeUInt32LE(arch, 4);
	for (const [index, arg] of args.entries()) {
		data.writeUInt32LE(arg, 16 + 8 * index);
	}
	let loaded = 0;
	for (let at = 0; at < filter.length / 8; at++) {
		const code = filter.readUInt16LE(8 * at);
		const whenTrue = filter.readUInt8(8 * at + 2);
		const whenFalse = filter.readUInt8(8 * at + 3);
		const value = filter.readUInt32LE(8 * at + 4);
		switch (code) {
			case 0x20:
				loaded = data.readUInt32LE(value);
				break;
			case 0x15:
				at += loaded === value ? whenTrue : whenFalse;
				break;
			case 0x35:
				at += loaded >= value ? whenTrue : whenFalse;
				break;
			case 0x45:
				at += (loaded & value) === 0 ? whenFalse : whenTrue;
				break;
			case 0x06:
				return value === 0x7fff0000 ? ALLOWED : value === 0x80000000 ? 'killed' : `errno ${value & 0xffff}`;
			default:
				throw new Error(`instruction ${at} has the unknown code ${code}`);
		}
	}
	throw new Error('the filter has no end');
}

function filterOf(arch: Arch): Buffer {
	const filter = seccompFilter(arch);
	assert.ok(filter !== undefined);
	return filter;
}

function onEach(check: (answer: (call: number, args?: readonly number[]) => string, arch: Arch) => void): void {
	for (const arch of ['x64', 'arm64'] as const) {
		const filter = filterOf(arch);
		check((call, args) => answerTo(filter, archs[arch], call, args), arch);
	}
}

describe('The filter of system calls', () => {
	it('refuses every call of its table, on both architectures, and lets the others pass', () => {
		onEach((answer, arch) => {
			const refused = new Set<number>();
			for (const numbers of Object.values(REFUSED_CALLS)) {
				const number = numbers[arch];
				if (number !== undefined) {
					refused.add(number);
					assert.equal(answer(number), 'errno 1', `${arch} ${number}`);
				}
			}
			const special = arch === 'x64' ? [16, 41, 56, 272, 435, 437] : [29, 97, 198, 220, 435, 437];
			for (let call = 0; call < 500; call++) {
				if (!refused.has(call) && !special.includes(call)) {
					assert.equal(answer(call), ALLOWED, `${arch} ${call}`);
				}
			}
		});
	});

	it('kills what speaks of another architecture, where its numbers mean other calls', () => {
		const x64 = filterOf('x64');
		assert.equal(answerTo(x64, archs.arm64, 0), 'killed');
		assert.equal(answerTo(x64, 0x40000003, 0), 'killed');
		assert.equal(answerTo(x64, archs.x64, 0x40000000), 'killed');
		assert.equal(answerTo(filterOf('arm64'), archs.x64, 0), 'killed');
	});

	it('lets processes and threads begin, but no namespace', () => {
		onEach((answer, arch) => {
			const [clone, unshare] = arch === 'x64' ? [56, 272] : [220, 97];
			const thread = 0x3d0f00;
			for (const flags of [17, 0x1200011, 0x4111, thread]) {
				assert.equal(answer(clone, [flags]), ALLOWED);
			}
			for (const space of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) {
				assert.equal(answer(clone, [(space | 17) >>> 0]), 'errno 1');
				assert.equal(answer(unshare, [space]), 'errno 1');
			}
			assert.equal(answer(unshare, [0x80]), 'errno 1');
			assert.equal(answer(unshare, [0x600]), ALLOWED);
			assert.equal(answer(435), 'errno 38');
		});
	});

	it('lets a program use its terminal, but not type into it', () => {
		onEach((answer, arch) => {
			const ioctl = arch === 'x64' ? 16 : 29;
			assert.equal(answer(ioctl, [0, 0x5401]), ALLOWED);
			assert.equal(answer(ioctl, [0, 0x5412]), 'errno 1');
			assert.equal(answer(ioctl, [0, 0x541c]), 'errno 1');
		});
	});

	it('allows sockets of the network and of files, and of the kernel those for routes only', () => {
		onEach((answer, arch) => {
			const socket = arch === 'x64' ? 41 : 198;
			for (const family of [1, 2, 10]) {
				assert.equal(answer(socket, [family, 1, 17]), ALLOWED);
			}
			assert.equal(answer(socket, [16, 3, 0]), ALLOWED);
			const [netlinkAudit, packet, alg, vsock] = [
				[16, 3, 9],
				[17, 3, 0],
				[38, 5, 0],
				[40, 1, 0],
			] as const;
			for (const args of [netlinkAudit, packet, alg, vsock]) {
				assert.equal(answer(socket, args), 'errno 97');
			}
		});
	});

	it('lets files be made and their mode be changed, but none run as its owner', () => {
		onEach((answer, arch) => {
			const [openat, fchmod, fchmodat] = arch === 'x64' ? [257, 91, 268] : [56, 52, 53];
			const creates = 0o100 | 0o1;
			assert.equal(answer(openat, [0, 0, creates, 0o755]), ALLOWED);
			assert.equal(answer(openat, [0, 0, creates, 0o4755]), 'errno 1');
			// Without a file to be made, there is no mode.
			assert.equal(answer(openat, [0, 0, 0, 0o4755]), ALLOWED);
			assert.equal(answer(fchmod, [3, 0o2775]), ALLOWED);
			assert.equal(answer(fchmod, [3, 0o4755]), 'errno 1');
			assert.equal(answer(fchmodat, [0, 0, 0o4755]), 'errno 1');
			assert.equal(answer(437), 'errno 38');
		});
		const { x64: onX64 } = archs;
		const filter = filterOf('x64');
		assert.equal(answerTo(filter, onX64, 90, [0, 0o4755]), 'errno 1');
		assert.equal(answerTo(filter, onX64, 2, [0, 0o101, 0o6755]), 'errno 1');
	});

	it('is absent where the numbers are not known', () => {
		assert.equal(seccompFilter('riscv64'), undefined);
	});
});
