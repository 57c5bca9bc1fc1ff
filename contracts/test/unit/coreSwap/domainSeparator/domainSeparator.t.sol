// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PermitFixture} from "test/helpers/PermitFixture.sol";
import {EOASigner} from "test/helpers/signers/EOASigner.sol";

contract CoreSwapDomainSeparatorTest is PermitFixture, EOASigner {
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_GivenAnyChain(uint64 chainId) public {
        vm.assume(chainId != 0);
        vm.chainId(chainId);
        assertEq(core.DOMAIN_SEPARATOR(), _domain("CoreSwap", "1", chainId, address(core)), "separator");
        (, string memory name, string memory version, uint256 domainChainId, address verifyingContract,,) =
            core.eip712Domain();
        assertEq(name, "CoreSwap", "name");
        assertEq(version, "1", "version");
        assertEq(domainChainId, chainId, "chain");
        assertEq(verifyingContract, address(core), "contract");
    }

    function test_GivenAnotherProxyOfTheSameImplementation() public {
        bytes32 separator = core.DOMAIN_SEPARATOR();
        address first = address(core);
        _deployCore();
        assertNotEq(address(core), first, "the same proxy");
        assertNotEq(core.DOMAIN_SEPARATOR(), separator);
    }
}
