"""Programs that a bench runs, in an environment that nobody's settings reach."""
import os
import subprocess

ENVIRONMENT = {**{k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PORTICO_"))},
               "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "TZ": "UTC",
               "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com",
               "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com"}


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], text=True, capture_output=True, env=ENVIRONMENT,
                          **more)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout
