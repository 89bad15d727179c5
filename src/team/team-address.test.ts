import assert from 'node:assert/strict';
import { readTeamAddress } from './team-address.ts';

describe("The address of a team's database", () => {
	it('is refused, without its password in the message, where it is wrong or would be read on the way', () => {
		const refusals: Readonly<Record<string, RegExp>> = {
			'mysql://ann:sesame@db/x': /expected postgres:\/\/NAME:PASSWORD@HOST\/DATABASE/,
			'postgres://ann:ses@me@db/x': /expected postgres/,
			'postgres://ann:12?sesame@db/x': /expected postgres/,
			'postgres://ann:ses@me?sesame@db/x': /expected postgres/,
			'postgres://ann:12/sesame@db': /expected postgres/,
			'postgres://ann:sesame@one,two/x': /expected postgres/,
			'postgres://db.example/x': /it names no user/,
			'postgres://ann:sesame@/x': /it names no host/,
			'postgres://ann:sesame@db.example/x?sslmode=disable': /sslmode=disable: .* must be verify-full/,
			'postgres://ann:sesame@db.example/x?sslmode=require': /sslmode=require: .* must be verify-full/,
			'postgres://ann:sesame@db.example/x?sslmode=no-verify': /sslmode=no-verify: .* must be verify-full/,
			'postgres://ann:sesame@localhost/x?host=db.example&sslmode=prefer': /must be verify-full/,
			'postgres://ann:sesame@/x?host=/run/postgresql&host=db.example': /the parameter "host" is there twice/,
			'postgres://ann:sesame@db.example/x?sslmode=verify-full&sslmode=disable': /"sslmode" is there twice/,
			'postgres://ann:sesame@localhost.example/x?sslmode=disable': /must be verify-full/,
			'postgres://ann:sesame@db.example/x?uselibpqcompat=true': /the parameter "uselibpqcompat" is not taken/,
			'postgres://ann:sesame@db.example/x?ssl=false': /the parameter "ssl" is not taken/,
		};
		for (const [address, said] of Object.entries(refusals)) {
			assert.throws(
				() => readTeamAddress(address),
				(error: Error) => said.test(error.message) && !/sesame/.test(error.message),
				address,
			);
		}
	});

	it('asks for verified TLS everywhere but on this machine, and is shown without its password', () => {
		const read = (address: string) => {
			const { shown, tls } = readTeamAddress(address);
			return [shown, tls];
		};
		const roots = { rootsFile: undefined };
		assert.deepEqual(read('postgres://ann:sesame@db.example:5433/x'), ['postgres://ann@db.example:5433/x', roots]);
		assert.deepEqual(read('postgresql://ann:s@10.0.0.7/x?sslmode=verify-full&sslrootcert=/etc/ca.pem'), [
			'postgresql://ann@10.0.0.7/x',
			{ rootsFile: '/etc/ca.pem' },
		]);
		// The socket's folder is no machine; a host in the parameters counts, as it does for the driver.
		assert.deepEqual(read('postgres://ann@/x?host=/run/postgresql'), [
			'postgres://ann@/x?host=%2Frun%2Fpostgresql',
			false,
		]);
		assert.deepEqual(read('postgres://ann@localhost/x?host=db.example'), [
			'postgres://ann@localhost/x?host=db.example',
			roots,
		]);
		assert.deepEqual(read('postgres://ann:s@127.0.0.1:5432/x'), ['postgres://ann@127.0.0.1:5432/x', false]);
		assert.deepEqual(read('postgres://ann:s@[::1]/x?sslmode=verify-full'), ['postgres://ann@[::1]/x', roots]);
	});
});
