/** What `cargo test` prints: the panics of each failed test under its name. */

export function readCargo(output) {
	const passed = [...output.matchAll(/^test result: \S+ (\d+) passed/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
	const failures = [...output.matchAll(/^test (\S+)(?: - .*)? \.\.\. FAILED$/gm)].map(([, name]) => {
		const own =
			new RegExp(`^---- ${escaped(name)} stdout ----\\n([\\s\\S]*?)(?=^---- |^failures:|\\n\\n\\n)`, 'm').exec(
				output,
			)?.[1] ?? '';
		// Newer ones say the place first, older ones the message.
		const newer = /panicked at ([^\s:]+):(\d+):\d+:\n([\s\S]*?)(?:\nnote:|\nstack backtrace|$)/.exec(own);
		const older = /panicked at '([\s\S]*?)', ([^\s:]+):(\d+)/.exec(own);
		return newer !== null
			? { name, file: newer[1], line: Number(newer[2]), message: newer[3].trim() }
			: {
					name,
					file: older?.[2] ?? null,
					line: older === null ? null : Number(older[3]),
					message: (older?.[1] ?? own).trim(),
				};
	});
	// What does not compile has no tests.
	const broken = [...output.matchAll(/^error(?:\[\w+\])?: (.*)\n\s*--> ([^\s:]+):(\d+):/gm)].map(
		([, message, file, line]) => ({
			...{ name: 'build', file, line: Number(line), message },
		}),
	);
	return { passed, failures: [...failures, ...broken] };
}

function escaped(name) {
	return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
