/**
 * Rights of a team's people, as PostgreSQL keeps them: a login has those of the groups that it belongs to. The database refuses
 * everything else, whatever program asks.
 */

/** Groups of all teams of one server. */
export const teamGroups = { member: 'prowess_member', worker: 'prowess_worker', auditor: 'prowess_auditor' } as const;

/** Queues as members may make them; their options are those of `queueOptions`. */
export const MAKE_QUEUE = 'make_work_queue';

/** Statements that make or renew them, for one transaction. `queueOptions`: those that each queue of jobs has. */
export function listTeamRights(schema: string, queueOptions: object): string {
	const { member, worker, auditor } = teamGroups;
	const all = `${member}, ${worker}, ${auditor}`;
	return `
DO $do$
DECLARE name text;
BEGIN
	FOREACH name IN ARRAY ARRAY['${member}', '${worker}', '${auditor}'] LOOP
		IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
			EXECUTE format('CREATE ROLE %I NOLOGIN', name);
		END IF;
	END LOOP;
END $do$;

CREATE OR REPLACE FUNCTION ${schema}.${MAKE_QUEUE}(queue text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $fn$
BEGIN
	IF queue !~ '^work(/[a-z][a-z0-9-]*)+$' OR length(queue) > 200 THEN
		RAISE invalid_parameter_value USING MESSAGE = 'no name of a queue of jobs';
	END IF;
	PERFORM ${schema}.create_queue(queue, '${JSON.stringify(queueOptions)}'::jsonb);
END $fn$;

-- Of a member only: whoever carries jobs out, or owns them all, is not held up.
CREATE OR REPLACE FUNCTION ${schema}.is_only_member() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog AS $fn$
	SELECT NOT pg_has_role(session_user, '${worker}', 'MEMBER')
		AND NOT pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = '${schema}.job'::regclass), 'MEMBER')
$fn$;

-- A job is its person's, whatever they say, and begins as one that nobody has begun.
CREATE OR REPLACE FUNCTION ${schema}.check_added_job() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog AS $fn$
BEGIN
	IF ${schema}.is_only_member() THEN
		NEW.group_id := session_user;
		IF NEW.name !~ '^work/' OR NEW.state <> 'created' OR NEW.retry_count <> 0 OR NEW.started_on IS NOT NULL
			OR NEW.output IS NOT NULL OR NEW.dead_letter IS NOT NULL OR NEW.data ?| ARRAY['question', 'answer']
			-- Everybody reads it, and what cannot be read would stop them.
			OR jsonb_typeof(NEW.data -> 'payload') IS DISTINCT FROM 'object' OR NEW.data -> 'givenBack' IS DISTINCT FROM '0'
			OR jsonb_typeof(NEW.data -> 'mostAttempts') IS DISTINCT FROM 'number' THEN
			RAISE insufficient_privilege USING MESSAGE = 'a member adds jobs that nobody has begun';
		END IF;
	END IF;
	RETURN NEW;
END $fn$;

-- A member cancels jobs of their own, answers questions of them, and lets them wait for others of them. Nothing else of a job changes.
CREATE OR REPLACE FUNCTION ${schema}.check_changed_job() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog AS $fn$
DECLARE
	free text[];
BEGIN
	IF NOT ${schema}.is_only_member() THEN
		RETURN NEW;
	END IF;
	free := CASE
		WHEN NEW.state = 'cancelled' AND OLD.state IN ('created', 'retry', 'active')
			THEN ARRAY['state', 'completed_on']
		WHEN OLD.state = 'retry' AND NEW.state = 'retry' AND OLD.data ? 'question'
			AND NEW.data - 'answer' = OLD.data - 'question' - 'answer'
			THEN ARRAY['data', 'start_after', 'keep_until']
		WHEN OLD.state = 'created' AND NEW.state = 'created'
			THEN ARRAY['blocked', 'blocking', 'pending_dependencies']
		ELSE ARRAY[]::text[]
	END;
	IF OLD.group_id IS DISTINCT FROM session_user::text OR to_jsonb(NEW) - free <> to_jsonb(OLD) - free THEN
		RAISE insufficient_privilege USING MESSAGE =
			format('%s may not change this job of %s', session_user, coalesce(OLD.group_id, 'nobody'));
	END IF;
	RETURN NEW;
END $fn$;

CREATE OR REPLACE FUNCTION ${schema}.check_order_of_jobs() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog AS $fn$
BEGIN
	IF ${schema}.is_only_member() AND EXISTS (
		SELECT FROM ${schema}.job WHERE ((name, id) = (NEW.child_name, NEW.child_id) OR (name, id) = (NEW.parent_name, NEW.parent_id))
			AND group_id IS DISTINCT FROM session_user::text
	) THEN
		RAISE insufficient_privilege USING MESSAGE = format('%s may not order jobs of others', session_user);
	END IF;
	RETURN NEW;
END $fn$;

DROP TRIGGER IF EXISTS check_added_job ON ${schema}.job;
CREATE TRIGGER check_added_job BEFORE INSERT ON ${schema}.job FOR EACH ROW EXECUTE FUNCTION ${schema}.check_added_job();
DROP TRIGGER IF EXISTS check_changed_job ON ${schema}.job;
CREATE TRIGGER check_changed_job BEFORE UPDATE ON ${schema}.job FOR EACH ROW EXECUTE FUNCTION ${schema}.check_changed_job();
DROP TRIGGER IF EXISTS check_order_of_jobs ON ${schema}.job_dependency;
CREATE TRIGGER check_order_of_jobs BEFORE INSERT ON ${schema}.job_dependency
	FOR EACH ROW EXECUTE FUNCTION ${schema}.check_order_of_jobs();

REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC, ${all};
REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM PUBLIC, ${all};
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC, ${all};
GRANT USAGE ON SCHEMA ${schema} TO ${all};
GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${all};
GRANT EXECUTE ON FUNCTION ${schema}.job_now(), ${schema}.is_only_member() TO ${all};
GRANT EXECUTE ON FUNCTION ${schema}.${MAKE_QUEUE}(text) TO ${member}, ${worker};

GRANT INSERT, UPDATE ON ${schema}.job, ${schema}.job_common TO ${member};
GRANT INSERT ON ${schema}.job_dependency TO ${member};

GRANT INSERT, UPDATE, DELETE ON ${schema}.job, ${schema}.job_common, ${schema}.job_dependency, ${schema}.schedule,
	${schema}.instance, ${schema}.queue_stats, ${schema}.warning TO ${worker};
GRANT INSERT, UPDATE ON ${schema}.queue TO ${worker};
GRANT EXECUTE ON FUNCTION ${schema}.create_queue(text, jsonb) TO ${worker};
-- When something was looked at last; not the version.
GRANT UPDATE (cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on) ON ${schema}.version TO ${worker};
`;
}
