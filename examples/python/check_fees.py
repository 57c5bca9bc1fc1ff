"""Compares the fees of /v1/volume with the legs of /v1/transactions, LP by LP, to the last unit.

    python3 examples/python/check_fees.py [base URL of the API] [network] [first day] [day after the last]

By default it asks the demo for evm-mainnet and the 30 days before today. Days are written YYYY-MM-DD and are in UTC; a
range has at most 365. Exits with 1 if a sum differs, or the API refuses a request. Needs Python 3.11, and nothing else.
"""

import json
import sys
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, timezone
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

# Fees of a leg, with the field of the volume that sums them up.
FEES = {"issuerFee": "issuerFeeWad", "spreadFee": "spreadFeeWad", "lpFee": "lpFeeWad"}
TIMEOUT_SECONDS = 30


def get(base_url: str, path: str, **query: str) -> dict:
    """Returns an answer of the API."""
    with urlopen(f"{base_url}{path}?{urlencode(query)}", timeout=TIMEOUT_SECONDS) as response:
        return json.load(response)


def start_of(day: date) -> datetime:
    return datetime.combine(day, time.min, timezone.utc)


def transactions(base_url: str, network: str) -> Iterator[dict]:
    """Yields the transactions with swaps, newest first, page after page."""
    query = {"network": network, "activity": "swap", "limit": "100"}
    while True:
        page = get(base_url, "/v1/transactions", **query)
        yield from page["transactions"]
        if page["nextCursor"] is None:
            return
        query["cursor"] = page["nextCursor"]


def legs(base_url: str, network: str, start: datetime, end: datetime) -> Iterator[dict]:
    """Yields the realized legs from start, inclusive, to end, exclusive."""
    for transaction in transactions(base_url, network):
        seconds = int(transaction["inclusion"]["timestamp"])
        if seconds < start.timestamp():
            return
        if seconds < end.timestamp():
            yield from (activity for activity in transaction["activities"] if activity["type"] == "swap")


def main(base_url: str, network: str, first: date, end: date) -> int:
    start_time, end_time = start_of(first), start_of(end)
    assets = get(base_url, "/v1/assets", network=network)
    decimals = {asset["stablecoinId"]: asset["decimals"] for asset in assets["stablecoins"]}

    # Fees are in units of the stablecoin that settles the leg. Python's integers have no bound, so nothing is rounded.
    sums: dict[str, dict[str, int]] = {}
    count = 0
    for leg in legs(base_url, network, start_time, end_time):
        count += 1
        lp_sums = sums.setdefault(leg["lpAddress"], dict.fromkeys(FEES.values(), 0))
        for fee, wad in FEES.items():
            lp_sums[wad] += int(leg[fee]) * 10 ** (18 - decimals[leg["stablecoinDelegateId"]])

    range_ = {"from": f"{start_time:%Y-%m-%dT%H:%M:%SZ}", "to": f"{end_time:%Y-%m-%dT%H:%M:%SZ}"}
    volume = get(base_url, "/v1/volume", network=network, **range_)
    published = {lp["lpAddress"]: {wad: int(lp[wad]) for wad in FEES.values()} for lp in volume["lpVolumes"]}
    nothing = dict.fromkeys(FEES.values(), 0)
    lines = [(lp, sums.get(lp, nothing), published.get(lp, nothing)) for lp in sorted(sums | published)]
    total = {wad: sum(lp_sums[wad] for lp_sums in sums.values()) for wad in FEES.values()}
    lines.append(("all LPs", total, {wad: int(volume[wad]) for wad in FEES.values()}))

    agrees = count == volume["totalLegCount"]
    print(f"{network} from {first} to {end}: {count} legs, the API counts {volume['totalLegCount']}")
    for name, summed, answered in lines:
        for wad in FEES.values():
            agrees = agrees and summed[wad] == answered[wad]
            verdict = "agrees" if summed[wad] == answered[wad] else f"the legs sum up to {summed[wad]}"
            print(f"{name} {wad} {answered[wad]}: {verdict}")
    return 0 if agrees else 1


def run(arguments: list[str]) -> int:
    today = datetime.now(timezone.utc).date()
    defaults = ["http://127.0.0.1:42069", "evm-mainnet", str(today - timedelta(days=30)), str(today)]
    base_url, network, first, end = arguments + defaults[len(arguments) :]
    try:
        return main(base_url, network, date.fromisoformat(first), date.fromisoformat(end))
    except HTTPError as refusal:
        print(f"{refusal.url}: {refusal.code} {refusal.read().decode()}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
