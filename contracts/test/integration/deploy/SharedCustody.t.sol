// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployTest} from "./DeployTest.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {Deployment} from "script/Deployment.sol";
import {DeploymentChecks} from "script/DeploymentChecks.sol";

/// @notice Tests accounts that are the custody of several LPs, because allowances, approvals and list entries belong to
/// an account.
contract SharedCustodyTest is DeployTest {
    bytes32 private constant USDX = "USDX";
    bytes32 private constant USDY = "USDY";
    bytes32 private constant TRSY = "TRSY";

    function test_Deploy_CustodySharedWithAnLpWithoutAutoLiquidity_Verifies() public {
        DeployConfig memory config = _sharing();
        Deployment memory d = script.deploy(config, DEPLOYER);
        address custody = config.stablecoins[0].stablecoinCustody;
        address core = address(d.coreSwap);
        assertEq(d.coreSwap.swapInputAllowances(custody, core, USDX), config.stablecoins[0].sweepAllowance);
        assertEq(d.coreSwap.swapInputAllowances(custody, core, TRSY), type(uint256).max);
        assertEq(d.coreSwap.swapInputAllowances(custody, core, USDY), 0);
        assertEq(d.delegates[1].stablecoinCustodyAddress(), custody);
    }

    function test_Deploy_CustodySharedByTwoLpsWithAutoLiquidity_Verifies() public {
        DeployConfig memory config = _sharing();
        config.stablecoins[1].autoLiquidity = true;
        config.stablecoins[1].sweepAllowance = 1_000e18;
        Deployment memory d = script.deploy(config, DEPLOYER);
        address custody = config.stablecoins[0].stablecoinCustody;
        assertEq(d.coreSwap.swapInputAllowances(custody, address(d.coreSwap), USDY), 1_000e18);
        assertEq(d.coreSwap.autoLiquidityStablecoinIDs(USDY), TRSY);
    }

    function test_Deploy_CustodySharedWithTheTreasuryLp_Verifies() public {
        DeployConfig memory config = _example();
        config.stablecoins[1].rwaCustody = config.treasury.lp.rwaCustody;
        config.stablecoins[1].stablecoinCustody = config.treasury.lp.stablecoinCustody;
        script.deploy(config, DEPLOYER);
    }

    function test_Verify_SharedCustodyDrifts_NamesTheAllowance() public {
        DeployConfig memory config = _sharing();
        Deployment memory d = script.deploy(config, DEPLOYER);
        address custody = config.stablecoins[0].stablecoinCustody;
        address core = address(d.coreSwap);

        vm.prank(custody);
        d.coreSwap.adjustSwapInputAllowance(core, USDY, 1, true);
        _expectDifference("USDY's sweep allowance", 1, 0);
        script.verify(config, d, DEPLOYER);

        vm.startPrank(custody);
        d.coreSwap.adjustSwapInputAllowance(core, USDY, 1, false);
        d.coreSwap.adjustSwapInputAllowance(core, TRSY, 1, false);
        vm.stopPrank();
        _expectDifference("USDX's prefund allowance", type(uint256).max - 1, type(uint256).max);
        script.verify(config, d, DEPLOYER);
    }

    /// @dev Returns a configuration in which the LP of USDY, without auto-liquidity, has the same custody accounts as
    /// that of USDX, with auto-liquidity.
    function _sharing() private view returns (DeployConfig memory config) {
        config = _example();
        config.stablecoins[1].rwaCustody = config.stablecoins[0].rwaCustody;
        config.stablecoins[1].stablecoinCustody = config.stablecoins[0].stablecoinCustody;
    }

    function _expectDifference(string memory what, uint256 actual, uint256 expected) private {
        vm.expectRevert(
            abi.encodeWithSelector(DeploymentChecks.ValueDiffers.selector, what, bytes32(actual), bytes32(expected))
        );
    }
}
